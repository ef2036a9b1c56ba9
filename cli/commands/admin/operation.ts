import type { ReportText } from '../../../server/operations.ts'
import { CliError } from '../../errors.ts'
import type { Invocation } from '../../parse/define.ts'

/** The parts of an operation that a command gives it. */
interface OperationContext {
  operations: typeof import('../../../server/operations.ts')
  report: ReportText
}

/**
 * Runs an operation on the server's database, which this machine has. It reads the configuration of the
 * server, and no sign-in.
 * @throws CliError with a message for the operator.
 */
export const runOperation = async <T>(
  { io }: Invocation,
  run: (context: OperationContext) => Promise<T>,
  command = 'admin',
): Promise<T> => {
  const operations = await import('../../../server/operations.ts')
  try {
    return await run({ operations, report: (text) => io.showProgress(`${text} …`) })
  } catch (error) {
    const message = operations.operatorMessage(error)
    if (message === undefined) throw error
    throw new CliError(message, `See: svc ${command} --help`, { cause: error })
  } finally {
    io.clear()
  }
}

export const formatRows = (count: number): string =>
  count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`

/** Advice after a copy to another major version of PostgreSQL, which stems some words differently. */
export const stemAdvice = ({ from, to }: { from: number; to: number }): string =>
  from === to
    ? ''
    : ` PostgreSQL ${to} stems some words differently than ${from}. To index them again, run: svc admin check --repair`
