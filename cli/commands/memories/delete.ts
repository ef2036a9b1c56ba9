import { deleteMemory, getMemory } from '../../../shared/contract/memory.ts'
import { type Context, signedIn } from '../../context.ts'
import { CliError, usageError } from '../../errors.ts'
import { confirm } from '../../input.ts'
import { oneLine } from '../../output.ts'
import { fit } from '../../table.ts'

export interface DeleteMemoryArgs {
  id: string
  yes?: boolean
  permanent?: boolean
}

/** Forgets a memory: for 30 days it can be brought back, save with `--permanent`. */
export const remove = async (context: Context, args: DeleteMemoryArgs): Promise<void> => {
  const { io } = context
  const { id, permanent = false } = args
  const client = signedIn(context)
  const params = { memory_id: id }
  const asks = io.stdinIsTerminal && io.stderrIsTerminal
  if (permanent && !args.yes && !asks)
    throw usageError(
      'That cannot be undone, and nobody is there to be asked.',
      `Run: svc memories delete ${id} --permanent --yes`,
    )
  if (asks && !args.yes) {
    const { content_text } = await client.call(getMemory, { params })
    io.say(`  ${fit(oneLine(content_text), 70)}`)
    if (!(await confirm(permanent ? 'Erase it for good?' : 'Forget it?')))
      throw new CliError(
        'Nothing was deleted.',
        `To delete it, run: svc memories delete ${id} --yes`,
      )
  }
  await client.call(deleteMemory, { params, query: { permanent } })
  if (context.json) io.printJson({ memory_id: id, deleted: true, permanent })
  io.note(
    permanent
      ? `Erased ${id} for good.`
      : `Forgot ${id}. For 30 days this brings it back: svc memories restore ${id}`,
  )
}
