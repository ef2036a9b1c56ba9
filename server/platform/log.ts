import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

/**
 * JSON lines on stdout. Callers log ids, names of operations and numbers: never a secret, a token, a
 * key, a password, a query string or a text that somebody wrote.
 */
export const createLog = (
  level: string,
  destination: DestinationStream = pino.destination(1),
): Log =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError, cause: describeError },
    },
    destination,
  )

/**
 * An error without what people wrote: a database's message repeats values, and its error object
 * carries the statement's parameters, so of those only the code and the place are kept.
 */
const describeError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return undefined
  const { name, code, routine, constraint, cause } = error as Error & Record<string, unknown>
  const fromDatabase = routine !== undefined || 'query' in error || 'params' in error
  return {
    name,
    code,
    ...(fromDatabase ? { routine, constraint } : { message: error.message }),
    stack: error.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
    cause: cause === undefined ? undefined : describeError(cause),
  }
}
