import { memoryHistory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { formatMinute } from '../../format.ts'
import { resolveId } from '../../ids.ts'
import { printList } from '../../list.ts'
import { anyMemoryIds } from './ids.ts'

/** Prints the changes to a memory, oldest first; also for a deleted memory. */
export const runMemoriesHistory = async (
  context: Context,
  { id }: { id: string },
): Promise<void> => {
  const client = signedInClient(context)
  const memory_id = await resolveId(id, anyMemoryIds(client))
  const events = await client.call(memoryHistory, { params: { memory_id } })
  await printList(context, {
    items: events,
    columns: {
      TIME: ({ created_at }) => formatMinute(created_at),
      ACTION: ({ action }) => action,
      ACTOR: ({ actor }) => actor.kind.replace('_', ' '),
      'PREVIOUS TEXT': ({ before }) => before?.content_text ?? '',
    },
    empty: 'No changes.',
  })
}
