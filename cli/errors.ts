export type ErrorKind = 'failed' | 'usage' | 'not_signed_in' | 'interrupted'

/** What went wrong, for a person: the message says what, `next` what to do about it. */
export class CliError extends Error {
  override name = 'CliError'
  readonly kind: ErrorKind
  constructor(
    message: string,
    readonly next: string,
    options: { kind?: ErrorKind; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.kind = options.kind ?? 'failed'
  }
}

/** The person has pressed Ctrl-C. */
export class Interrupted extends CliError {
  override name = 'Interrupted'
  constructor() {
    super('Interrupted.', '', { kind: 'interrupted' })
  }
}

/** What was typed will not do. */
export const usageError = (message: string, next: string, cause?: unknown): CliError =>
  new CliError(message, next, { kind: 'usage', cause })
