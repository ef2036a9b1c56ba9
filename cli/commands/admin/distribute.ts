import type { Invocation } from '../../parse/define.ts'
import { formatRows, runOperation } from './operation.ts'

export const runDistribute = async (invocation: Invocation): Promise<void> => {
  const { io, options } = invocation
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
