export type ErrorKind = 'failed' | 'usage' | 'not_signed_in'

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
