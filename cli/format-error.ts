import { CliError, Interrupted } from './errors.ts'

/** An error with its hint, for stderr. @param debug adds stack traces. */
export const formatError = (error: unknown, debug = false): string => {
  const hint = error instanceof CliError ? error.hint : 'Run it again with --debug for details.'
  const message = error instanceof Error ? error.message : `${error}`
  const lines = error instanceof Interrupted ? [message] : [`error: ${message}`, hint]
  const text = lines.filter(Boolean).join('\n')
  return debug ? `${text}\n${stacks(error)}` : text
}

const stacks = (error: unknown): string =>
  error instanceof Error ? `${error.stack}\n${error.cause ? stacks(error.cause) : ''}` : `${error}`
