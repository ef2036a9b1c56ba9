import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation, stemAdvice } from './operation.ts'

interface MoveArgs {
  from?: string
  to: string
  force?: boolean
}

export const runMove = async (
  invocation: Invocation,
  { force = false, ...endpoints }: MoveArgs,
): Promise<void> => {
  const { io, options } = invocation
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
