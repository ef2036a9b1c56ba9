import { CommanderError } from 'commander'

export type ErrorKind = 'failed' | 'usage' | 'not_signed_in' | 'interrupted'

/** An error for the user: `message` is the problem, `hint` the next step. */
export class CliError extends Error {
  override name = 'CliError'
  readonly kind: ErrorKind
  constructor(
    message: string,
    readonly hint: string,
    options: { kind?: ErrorKind; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = options.kind ?? 'failed'
  }
}

/** The user pressed Ctrl-C. */
export class Interrupted extends CliError {
  override name = 'Interrupted'
  constructor() {
    super('Interrupted.', '', { kind: 'interrupted' })
  }
}

/** A wrong command, option or argument. */
export const usageError = (message: string, hint: string, cause?: unknown): CliError =>
  new CliError(message, hint, { kind: 'usage', cause })

export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  not_signed_in: 4,
  interrupted: 130,
} as const satisfies Record<ErrorKind | 'done', number>

export const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage
  return error instanceof CliError ? exitCode[error.kind] : exitCode.failed
}

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
