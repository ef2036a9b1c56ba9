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
