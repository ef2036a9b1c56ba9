import { restoreMemory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'

/** Restores a memory that was deleted in the last 30 days. */
export const runMemoriesRestore = async (
  context: Context,
  { id }: { id: string },
): Promise<void> => {
  const { io } = context
  const memory = await signedInClient(context).call(restoreMemory, { params: { memory_id: id } })
  if (context.json) io.printJson(memory)
  else io.print(memory.memory_id)
  io.info('Restored.')
}
