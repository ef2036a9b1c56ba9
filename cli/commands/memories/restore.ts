import { restoreMemory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { orNotFound, resolveId } from '../../ids.ts'
import { deletedMemoryIds } from './ids.ts'

/** Restores a memory that was deleted in the last 30 days. */
export const runMemoriesRestore = async (
  context: Context,
  { id }: { id: string },
): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  const memory_id = await resolveId(id, deletedMemoryIds(client))
  const memory = await client
    .call(restoreMemory, { params: { memory_id } })
    .catch(orNotFound('Deleted memory', id, 'svc memories list --deleted'))
  if (context.json) io.printJson(memory)
  else io.print(memory.memory_id)
  io.info('Restored.')
}
