import type { Static } from '@sinclair/typebox'
import { errorText, type FieldError, type RateLimitedBody } from '../../../shared/errors.ts'

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

  /** The JSON that is answered. */
  get body(): object {
    return { detail: this.detail }
  }
}

/** The one answer without `detail`: that of the limiter of `/api/url` (contract 7.5). */
export class RateLimited extends ApiError {
  override name = 'RateLimited'
  constructor(
    readonly retryAfterSeconds: number,
    readonly method: string,
  ) {
    super(429, errorText.tooManyRequests, { headers: { 'retry-after': `${retryAfterSeconds}` } })
  }

  override get body(): Static<typeof RateLimitedBody> {
    return { error: 'rate_limited', retry_after: this.retryAfterSeconds, method: this.method }
  }
}
