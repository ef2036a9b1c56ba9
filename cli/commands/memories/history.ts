import { memoryHistory } from '../../../shared/contract/memories.ts'
import type { MemoryEvent } from '../../../shared/schemas/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { resolveId } from '../../short-id.ts'
import { formatMinute } from '../../time.ts'
import { anyMemoryIds } from './ids.ts'

const header = ['TIME', 'ACTION', 'ACTOR', 'PREVIOUS TEXT']

/** Prints the changes to a memory, oldest first; also for a deleted memory. */
export const runMemoriesHistory = async (
  context: Context,
  { id }: { id: string },
): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const memory_id = await resolveId(id, anyMemoryIds(client))
  const events = await client.call(memoryHistory, { params: { memory_id } })
  if (context.json) return io.printJson(events)
  await io.printTable([header, ...events.map(row)], 2)
}

const row = ({ created_at, action, actor, before }: MemoryEvent): string[] =>
  [formatMinute(created_at), action, actor.kind.replace('_', ' '), before?.content_text ?? ''].map(
    oneLine,
  )
