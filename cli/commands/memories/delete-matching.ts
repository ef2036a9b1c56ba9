import { ApiFailure, type Client } from '../../../shared/client.ts'
import { deleteMemory, type Memory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { usageError } from '../../errors.ts'
import { formatMemoryCount } from '../../format.ts'
import { canAsk, confirm } from '../../input.ts'
import { runInterruptible } from '../../interrupt.ts'
import { collectMemories, type SelectedMemories } from './filter.ts'
import { printMemories } from './table.ts'

interface Options {
  yes: boolean
  permanent: boolean
  dryRun: boolean
}

/** Deletes the memories that match a filter, after a preview and a confirmation. */
export const deleteMatching = async (
  context: Context,
  filter: SelectedMemories,
  { yes, permanent, dryRun }: Options,
): Promise<void> => {
  const { io, json } = context
  if (!yes && !dryRun && !canAsk(io))
    throw usageError(
      'There is no terminal to confirm the deletion.',
      'To see the memories first, add --dry-run. To delete them, add --yes.',
    )
  const client = signedInClient(context)
  const { memories } = await collectMemories(client, filter)
  if (dryRun) return previewDeletion(context, memories)
  if (memories.length > 0 && !yes) {
    if (!json) await printMemories(context, client, { memories })
    const question = `Delete ${formatMemoryCount(memories.length)}${permanent ? ' permanently' : ''}?`
    if (!(await confirm(question, io))) return io.info('Nothing was deleted.')
  }
  io.willPrint(['deleted', 'permanent'])
  const deleted = await deleteAll(context, client, memories, permanent)
  if (json) io.printJson({ deleted, permanent })
  if (memories.length === 0) return io.info('No memories match.')
  io.info(
    permanent
      ? `Deleted ${formatMemoryCount(deleted)} permanently.`
      : `Deleted ${formatMemoryCount(deleted)}. To restore one within 30 days, run: svc memories restore ID`,
  )
}

/** Prints the memories that `--dry-run` would delete. */
export const previewDeletion = async (context: Context, memories: Memory[]): Promise<void> => {
  const response = { memories, dry_run: true }
  await printMemories(context, signedInClient(context), { memories, response })
  context.io.info(`Dry run: ${formatMemoryCount(memories.length)} would be deleted.`)
}

const PARALLEL = 8

/** Ctrl-C stops it. Memories that were deleted meanwhile are skipped. */
const deleteAll = (
  { io }: Context,
  client: Client,
  memories: readonly Memory[],
  permanent: boolean,
): Promise<number> =>
  runInterruptible(io, async (signal) => {
    let deleted = 0
    const deleteOne = async ({ memory_id }: Memory) => {
      try {
        await client.call(deleteMemory, { params: { memory_id }, query: { permanent }, signal })
        deleted++
      } catch (error) {
        if (!(error instanceof ApiFailure && error.status === 404)) throw error
      }
    }
    try {
      for (let from = 0; from < memories.length; from += PARALLEL) {
        await Promise.all(memories.slice(from, from + PARALLEL).map(deleteOne))
        io.showProgress(`Deleted ${formatMemoryCount(deleted)} …`)
      }
      return deleted
    } catch (error) {
      io.info(`Deleted ${formatMemoryCount(deleted)} of ${memories.length} before the end.`)
      throw error
    }
  })
