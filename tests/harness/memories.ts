import type { Client } from '../../shared/client.ts'
import { listMemories } from '../../shared/contract/index.ts'
import type { Memory } from '../../shared/contract/memories.ts'

/** All memories of a user, page by page. */
export const allMemories = async (client: Client): Promise<Memory[]> => {
  const found: Memory[] = []
  for (let cursor: string | undefined; ; ) {
    const query = { limit: 100, ...(cursor && { cursor }) }
    const { memories, next_cursor } = await client.call(listMemories, { query })
    found.push(...memories)
    if (!next_cursor) return found
    cursor = next_cursor
  }
}
