import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation, stemAdvice } from './operation.ts'

export const runUpgrade = async (
  invocation: Invocation,
  { oldBinaries }: { oldBinaries?: string },
): Promise<void> => {
  const { io, options } = invocation
  const result = await runOperation(invocation, ({ operations, report }) =>
    operations.upgradeDatabase(io.runtime.env, oldBinaries, report),
  )
  if (options.json) return io.printJson(result ?? null)
  if (!result) return io.info('The database already has the version of PostgreSQL that svc ships.')
  io.info(
    `Copied and verified ${formatRows(result.rows)} from PostgreSQL ${result.from} to ${result.to}. The old database is in ${result.kept}; delete it when the new one works.${stemAdvice(result)}`,
  )
}
