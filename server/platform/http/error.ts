import type { Static } from '@sinclair/typebox'
import { errorText, type FieldError, type RateLimitedBody } from '../../../shared/errors.ts'

export type Detail = string | FieldError[] | Record<string, unknown>

export interface ErrorOptions {
  headers?: Record<string, string>
  cause?: unknown
  /** Machine-readable and stable, such as `member_not_found`; logged with the request. */
  reason?: string
}

/**
 * A response outside 2xx. `detail` is public; `reason` and `cause` are only logged.
 * Services throw it. The app's error handler converts it to the response (contract 7).
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly headers: Record<string, string>
  readonly reason: string | undefined
  constructor(
    readonly status: number,
    readonly detail: Detail,
    options: ErrorOptions = {},
  ) {
    super(typeof detail === 'string' ? detail : `HTTP ${status}`, { cause: options.cause })
    this.headers = options.headers ?? {}
    this.reason = options.reason
  }

  /** The JSON body of the response. */
  get body(): object {
    return { detail: this.detail }
  }
}

/** The only error without `detail`: the rate limit of `/api/url` (contract 7.5). */
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

/** One row of a domain's set of errors. */
export interface ErrorRow extends Omit<ErrorOptions, 'reason'> {
  status: number
  detail: Detail
}

/** The rows of all sets, by reason; undefined for a row that needs values or a cause. */
export const declaredErrors = new Map<string, ErrorRow | undefined>()

/**
 * Declares the closed set of errors of a domain, one row for each reason. A row that needs values or a
 * cause is a function.
 * @returns a function that creates the error of a reason: `throw accountError('wrong_code')`.
 */
export const defineErrors = <
  Rows extends Record<string, ErrorRow | ((...values: never[]) => ErrorRow)>,
>(
  rows: Rows,
) => {
  for (const [reason, row] of Object.entries(rows))
    declaredErrors.set(reason, typeof row === 'function' ? undefined : row)
  return <Reason extends keyof Rows & string>(
    reason: Reason,
    ...values: Rows[Reason] extends (...values: infer Values) => ErrorRow ? Values : []
  ): ApiError => {
    const row: unknown = rows[reason]
    const { status, detail, ...options } = (
      typeof row === 'function' ? row(...values) : row
    ) as ErrorRow
    return new ApiError(status, detail, { ...options, reason })
  }
}

/** Errors that several domains use. */
export const commonError = defineErrors({
  bad_credentials: { status: 401, detail: errorText.badCredentials },
  token_expired: { status: 401, detail: errorText.tokenExpired },
  not_org_member: { status: 403, detail: errorText.notOrgMember },
})
