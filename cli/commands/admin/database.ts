import { CliError } from '../../errors.ts'
import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation, stemAdvice } from './operation.ts'

interface MoveArgs {
  from?: string
  to: string
  force?: boolean
}

/** The fields of a `CopyResult`. */
const COPIED = ['tables', 'rows', 'resumed', 'from', 'to']

export const runMove = async (
  invocation: Invocation,
  { force = false, ...endpoints }: MoveArgs,
): Promise<void> => {
  const { io, options } = invocation
  io.willPrint(COPIED)
  const result = await runOperation(invocation, ({ operations, report }) =>
    operations.moveDatabase(io.runtime.env, { ...endpoints, overwrites: force, report }),
  )
  if (options.json) return io.printJson(result)
  const resumed = result.resumed ? `, ${result.resumed} of them before the interruption` : ''
  const next =
    endpoints.to === 'embedded'
      ? 'Unset SVC_DATABASE_URL and start svc.'
      : 'Set SVC_DATABASE_URL to it and start svc with the same data directory.'
  io.info(
    `Copied and verified ${formatRows(result.rows)} in ${result.tables} tables${resumed}. The source is unchanged. ${next}${stemAdvice(result)}`,
  )
}

export const runUpgrade = async (
  invocation: Invocation,
  { oldBinaries }: { oldBinaries?: string },
): Promise<void> => {
  const { io, options } = invocation
  io.willPrint([...COPIED, 'kept'])
  const result = await runOperation(invocation, ({ operations, report }) =>
    operations.upgradeDatabase(io.runtime.env, oldBinaries, report),
  )
  if (options.json) return io.printJson(result ?? null)
  if (!result) return io.info('The database already has the version of PostgreSQL that svc ships.')
  io.info(
    `Copied and verified ${formatRows(result.rows)} from PostgreSQL ${result.from} to ${result.to}. The old database is in ${result.kept}; delete it when the new one works.${stemAdvice(result)}`,
  )
}

export const runDistribute = async (invocation: Invocation): Promise<void> => {
  const { io, options } = invocation
  io.willPrint(['workers', 'tables', 'resumed', 'rows'])
  const result = await runOperation(invocation, ({ operations, report }) =>
    operations.distributeDatabase(io.runtime.env, report),
  )
  if (options.json) return io.printJson(result)
  if (result.tables === 0) return io.info('The memories are already distributed.')
  const resumed = result.resumed ? ` ${result.resumed} tables were distributed before.` : ''
  io.info(
    `Distributed and counted ${formatRows(result.rows)} in ${result.tables} tables over ${result.workers} nodes.${resumed} Start svc.`,
  )
}

export const runAcceptSecret = async (invocation: Invocation): Promise<void> => {
  const { io, options } = invocation
  io.willPrint(['accepted'])
  const accepted = await runOperation(invocation, ({ operations }) =>
    operations.acceptSecret(io.runtime.env),
  )
  if (options.json) return io.printJson({ accepted })
  io.info(
    accepted
      ? 'The database has the configured secret now. All users must sign in again, those with a second factor with a recovery code. The secrets of webhooks must be created again, and settings of the server entered again.'
      : 'The database already has the configured secret.',
  )
}

export const runRotateSecret = async (
  invocation: Invocation,
  { dropPrevious: dropsPrevious = false }: { dropPrevious?: boolean },
): Promise<void> => {
  const { io, options } = invocation
  io.willPrint([dropsPrevious ? 'dropped' : 'rotated'])
  const changed = await runOperation(invocation, ({ operations }) =>
    operations.rotateSecret(io.runtime.env, { dropsPrevious }),
  )
  if (options.json) return io.printJson(dropsPrevious ? { dropped: changed } : { rotated: changed })
  if (!dropsPrevious)
    io.info(
      'The data directory has a new secret, and keeps the replaced one. Start svc. A secret before these two is not accepted any more.',
    )
  else
    io.info(
      changed
        ? 'Removed the previous secret. Users who were not seen since the rotation must sign in again.'
        : 'There is no previous secret.',
    )
}

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
