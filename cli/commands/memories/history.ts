import { memoryHistory } from '../../../shared/contract/memory.ts'
import type { MemoryEvent } from '../../../shared/schemas/memory.ts'
import { type Context, signedIn } from '../../context.ts'
import { oneLine } from '../../output.ts'
import { minute } from '../../time.ts'

const header = ['WHEN', 'WHAT', 'BY', 'IT WAS']

/** Prints what happened to a memory, the oldest first; also of a forgotten one. */
export const history = async (context: Context, { id }: { id: string }): Promise<void> => {
  const { io } = context
  const events = await signedIn(context).call(memoryHistory, { params: { memory_id: id } })
  if (context.json) return io.printJson(events)
  io.printTable([header, ...events.map(row)], 2)
}

const row = ({ created_at, action, actor, before }: MemoryEvent): string[] =>
  [minute(created_at), action, actor.kind.replace('_', ' '), before?.content_text ?? ''].map(
    oneLine,
  )
