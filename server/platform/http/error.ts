import type { Static } from '@sinclair/typebox'
import type { OrgPolicyRefusal } from '../../../shared/contract/organization-policies.ts'
import { errorText, type FieldError, type RateLimitedBody } from '../../../shared/errors.ts'
import { type DatabaseFailure, databaseFailureOf } from '../db/faults.ts'

type Detail = string | FieldError[] | Record<string, unknown>

interface ErrorOptions {
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
  address_not_allowed: {
    status: 403,
    detail: 'This API key may not be used from this address',
  },
  credential_paused: { status: 403, detail: 'This credential is paused; its owner can resume it' },
})

const inBody = (type: string, msg: string): FieldError[] => [{ loc: ['body'], type, msg }]

/** Errors of the HTTP layer. */
export const httpError = defineErrors({
  missing_credential: { status: 401, detail: errorText.badCredentials },
  api_key_cannot_manage_account: {
    status: 403,
    detail: 'An API key cannot manage the account; sign in instead',
  },
  email_not_verified: (detail: Detail) => ({ status: 403, detail }),
  org_policy: (detail: OrgPolicyRefusal) => ({ status: 403, detail: { ...detail } }),
  scope_missing: (scope: string) => ({
    status: 403,
    detail: `This credential has no scope ${scope}; its owner can add it`,
  }),
  workspace_changed: {
    status: 403,
    detail: 'Your default organization changed, or you are no longer its member. Connect again.',
  },
  impersonation_limited: {
    status: 403,
    detail:
      'An admin who uses the account of a user cannot change the account or write to other people',
  },
  not_an_admin: { status: 403, detail: errorText.adminOnly },
  origin_not_allowed: { status: 403, detail: 'Origin not allowed' },
  invalid_host_header: { status: 400, detail: 'Invalid Host header' },
  body_ended_early: (cause: unknown) => ({
    status: 400,
    detail: 'The request body ended early',
    cause,
  }),
  // The rest of the body is unread, so the connection cannot be reused.
  body_too_slow: {
    status: 400,
    detail: 'The request body arrived too slowly',
    headers: { connection: 'close' },
  },
  body_too_large: (maxBytes: number) => ({
    status: 413,
    detail: `Body is larger than ${Math.floor(maxBytes / 1024)} KiB`,
  }),
  body_compressed: {
    status: 415,
    detail: 'The request body is compressed; send it without Content-Encoding',
  },
  body_not_json: {
    status: 422,
    detail: inBody('dict_type', 'Body should be JSON, with content-type application/json'),
  },
  body_not_utf8: { status: 422, detail: inBody('json_invalid', 'Body should be UTF-8') },
  invalid_json: (msg: string) => ({ status: 422, detail: inBody('json_invalid', msg) }),
  content_type_not_accepted: (types: string) => ({
    status: 422,
    detail: inBody('value_error', `Content-Type should be one of ${types}`),
  }),
  malformed_form: (cause: unknown) => ({
    status: 422,
    detail: inBody(
      'value_error',
      'Body should be multipart/form-data with a valid boundary and a closing delimiter',
    ),
    cause,
  }),
  missing_form_field: (field: string) => ({
    status: 422,
    detail: [{ loc: ['body', field], type: 'missing', msg: 'Field required' }],
  }),
  invalid_request: (errors: FieldError[]) => ({ status: 422, detail: errors }),
  bad_request_value: (detail: string) => ({ status: 400, detail }),
  server_stopping: { status: 503, detail: 'The server is stopping; try again' },
  client_disconnected: { status: 499, detail: 'Client disconnected' },
})

const RETRY_AFTER = { 'retry-after': '1' }

const databaseError = defineErrors({
  database_unavailable: (cause: unknown) => ({
    status: 503,
    detail: 'The database is not available; try again',
    headers: RETRY_AFTER,
    cause,
  }),
  database_busy: (cause: unknown) => ({
    status: 503,
    detail: 'Another request is changing the same data; try again',
    headers: RETRY_AFTER,
    cause,
  }),
  database_timeout: (cause: unknown) => ({
    status: 503,
    detail: 'The database took too long; try again',
    headers: RETRY_AFTER,
    cause,
  }),
})

const DATABASE_REASONS = {
  unreached: 'database_unavailable',
  lost: 'database_unavailable',
  busy: 'database_busy',
  timeout: 'database_timeout',
} as const satisfies Record<DatabaseFailure, string>

/** @returns the 503 of a failure of the database that passes; any other error unchanged. */
export const asDatabaseError = (error: unknown): unknown => {
  const failure = databaseFailureOf(error)
  return failure ? databaseError(DATABASE_REASONS[failure], error) : error
}
