import type { Client } from '../../shared/client.ts'
import { memoryFacts } from '../../shared/contract/index.ts'
import type { MemoryFact } from '../../shared/schemas/facts.ts'

const POLL_MS = 100

/** The facts of a memory, once it has been read as it is now. */
export const factsOf = async (client: Client, memoryId: string): Promise<MemoryFact[]> => {
  for (;;) {
    const { facts, pending } = await client.call(memoryFacts, { params: { memory_id: memoryId } })
    if (!pending) return facts
    await Bun.sleep(POLL_MS)
  }
}
