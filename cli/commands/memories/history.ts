import { memoryHistory } from '../../../shared/contract/memories.ts'
import type { MemoryEvent } from '../../../shared/schemas/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { formatMinute } from '../../time.ts'

const header = ['TIME', 'ACTION', 'ACTOR', 'PREVIOUS TEXT']

/** Prints the changes to a memory, oldest first; also for a deleted memory. */
export const runMemoriesHistory = async (
  context: Context,
  { id }: { id: string },
): Promise<void> => {
  const { io } = context
  const events = await signedInClient(context).call(memoryHistory, { params: { memory_id: id } })
  if (context.json) return io.printJson(events)
  io.printTable([header, ...events.map(row)], 2)
}

const row = ({ created_at, action, actor, before }: MemoryEvent): string[] =>
  [formatMinute(created_at), action, actor.kind.replace('_', ' '), before?.content_text ?? ''].map(
    oneLine,
  )
