import { restoreMemory } from '../../../shared/contract/memory.ts'
import { type Context, signedIn } from '../../context.ts'

/** Brings back a memory that was forgotten in the last 30 days. */
export const restore = async (context: Context, { id }: { id: string }): Promise<void> => {
  const { io } = context
  const memory = await signedIn(context).call(restoreMemory, { params: { memory_id: id } })
  if (context.json) io.printJson(memory)
  else io.print(memory.memory_id)
  io.note('It is remembered again.')
}
