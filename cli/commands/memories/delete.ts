import { deleteMemory, getMemory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { resolveId } from '../../ids.ts'
import { canAsk, confirm } from '../../input.ts'
import { oneLine } from '../../output.ts'
import { truncateToWidth } from '../../table.ts'
import { deleteMatching, previewDeletion } from './delete-matching.ts'
import type { SelectedMemories } from './filter.ts'
import { memoryIds } from './ids.ts'

interface DeleteOptions {
  yes?: boolean
  permanent?: boolean
  dryRun?: boolean
}

interface DeleteMemoryArgs extends DeleteOptions, SelectedMemories {
  id?: string
  /** The same as `until`. */
  before?: string
}

/** Deletes a memory, or the memories that match a filter. */
export const runMemoriesDelete = async (
  context: Context,
  { id, yes = false, permanent = false, dryRun = false, before, ...filter }: DeleteMemoryArgs,
): Promise<void> => {
  const filters = before === undefined ? filter : { ...filter, until: before }
  const hasFilter = Object.keys(filters).length > 0
  if ((id === undefined) === !hasFilter)
    throw usageError(
      hasFilter ? 'An ID and a filter cannot be combined.' : 'Name a memory or a filter.',
      'Run: svc memories delete ID, or: svc memories delete --tag TAG --dry-run',
    )
  const options = { yes, permanent, dryRun }
  if (id === undefined) await deleteMatching(context, filters, options)
  else await deleteOne(context, id, options)
}

const deleteOne = async (
  context: Context,
  typed: string,
  { yes, permanent, dryRun }: Required<DeleteOptions>,
): Promise<void> => {
  const { io } = context
  const client = signedInClient(context)
  if (permanent && !yes && !dryRun && !canAsk(io))
    throw usageError(
      'A permanent deletion cannot be undone, and there is no terminal to confirm it.',
      `Run: svc memories delete ${typed} --permanent --yes`,
    )
  const id = await resolveId(typed, memoryIds(client))
  const params = { memory_id: id }
  if (dryRun) return previewDeletion(context, [await client.call(getMemory, { params })])
  if (canAsk(io) && !yes) {
    const { content_text } = await client.call(getMemory, { params })
    io.message(`  ${truncateToWidth(oneLine(content_text), 70)}`)
    if (!(await confirm(permanent ? 'Delete it permanently?' : 'Delete it?', io)))
      return io.info('Nothing was deleted.')
  }
  io.willPrint(['memory_id', 'deleted', 'permanent'])
  await client.call(deleteMemory, { params, query: { permanent } })
  if (context.json) io.printJson({ memory_id: id, deleted: true, permanent })
  io.info(
    permanent
      ? `Deleted ${id} permanently.`
      : `Deleted ${id}. To restore it within 30 days, run: svc memories restore ${id}`,
  )
}
