import { CliError } from '../../errors.ts'
import type { Invocation } from '../../parse/define.ts'
import { runOperation } from './operation.ts'

export const runCheck = async (
  invocation: Invocation,
  { repair = false }: { repair?: boolean },
): Promise<void> => {
  const { io, options } = invocation
  const { memories, blobs } = await runOperation(invocation, ({ operations, report }) =>
    operations.checkDatabase(io.runtime.env, { repairs: repair, report }),
  )
  if (options.json) io.printJson({ memories, ...blobs, repaired: repair })
  else {
    for (const { ownerId, problem, count } of memories) io.print(`${ownerId}  ${count} ${problem}`)
    if (blobs.unused.length) io.print(`${blobs.unused.length} files that nothing refers to`)
    for (const name of blobs.missing) io.print(`The file ${name} is missing`)
  }
  const repairable = memories.length + blobs.unused.length
  if (blobs.missing.length)
    throw new CliError(`${blobs.missing.length} files are missing.`, 'Restore them from a backup.')
  if (repairable && !repair)
    throw new CliError('The database is inconsistent.', 'Run: svc admin check --repair')
  io.info(repairable ? 'Repaired.' : 'The database is consistent.')
}
