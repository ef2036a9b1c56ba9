import type { Client } from '../../../shared/client.ts'
import type { Memory } from '../../../shared/schemas/memories.ts'
import { type Io, oneLine } from '../../output.ts'
import { idColumn } from '../../short-id.ts'
import { memoryIdsNear } from './ids.ts'

const header = ['ID', 'DATE', 'TYPE', 'MEMORY']

/** Prints memories as a table. @param deleted whether they are deleted ones. */
export const printMemories = async (
  io: Io,
  client: Client,
  memories: readonly Memory[],
  deleted = false,
): Promise<void> => {
  const ids = memories.map(({ memory_id }) => memory_id)
  const short = await idColumn(io, () => memoryIdsNear(client, ids, deleted))
  const rows = memories.map((memory) =>
    [
      short(memory.memory_id),
      (memory.occurred_at ?? memory.created_at).slice(0, 10),
      memory.memory_type,
      memory.content_text,
    ].map(oneLine),
  )
  await io.printTable([header, ...rows], 2)
}
