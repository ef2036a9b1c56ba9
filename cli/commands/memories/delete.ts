import { deleteMemory, getMemory } from '../../../shared/contract/memories.ts'
import { type Context, signedInClient } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { confirm } from '../../input.ts'
import { oneLine } from '../../output.ts'
import { truncateToWidth } from '../../table.ts'

export interface DeleteMemoryArgs {
  id: string
  yes?: boolean
  permanent?: boolean
}

/** Deletes a memory. It can be restored for 30 days, unless `--permanent` is set. */
export const runMemoriesDelete = async (
  context: Context,
  args: DeleteMemoryArgs,
): Promise<void> => {
  const { io } = context
  const { id, permanent = false } = args
  const client = signedInClient(context)
  const params = { memory_id: id }
  const canAsk = io.stdinIsTerminal && io.stderrIsTerminal
  if (permanent && !args.yes && !canAsk)
    throw usageError(
      'A permanent deletion cannot be undone, and there is no terminal to confirm it.',
      `Run: svc memories delete ${id} --permanent --yes`,
    )
  if (canAsk && !args.yes) {
    const { content_text } = await client.call(getMemory, { params })
    io.message(`  ${truncateToWidth(oneLine(content_text), 70)}`)
    if (!(await confirm(permanent ? 'Delete it permanently?' : 'Delete it?')))
      throw new CliError(
        'Nothing was deleted.',
        `To delete it, run: svc memories delete ${id}${permanent ? ' --permanent' : ''} --yes`,
      )
  }
  await client.call(deleteMemory, { params, query: { permanent } })
  if (context.json) io.printJson({ memory_id: id, deleted: true, permanent })
  io.info(
    permanent
      ? `Deleted ${id} permanently.`
      : `Deleted ${id}. To restore it within 30 days, run: svc memories restore ${id}`,
  )
}
