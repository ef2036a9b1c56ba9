import type { FieldError } from '../../../shared/errors.ts'

export type Detail = string | FieldError[] | Record<string, unknown>

/**
 * An answer outside 2xx. `detail` is public; `cause` is only logged.
 * Thrown by services, turned into the contract's body (section 7) in one place.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly headers: Record<string, string>
  constructor(
    readonly status: number,
    readonly detail: Detail,
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(typeof detail === 'string' ? detail : `HTTP ${status}`, { cause: options.cause })
    this.headers = options.headers ?? {}
  }
}
