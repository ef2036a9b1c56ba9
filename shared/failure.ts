import { errorText } from './error-text.ts'
import type { FieldError } from './errors.ts'
import { fieldsOf, isObject, type JsonObject } from './objects.ts'

/** The `detail` of an error body as one line of text. */
export const describeFailure = (status: number, detail: unknown): string => {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return fieldErrorsOf(detail).map(fieldText).join('; ')
  if (isObject(detail)) return objectText(status, detail)
  return `HTTP ${status}`
}

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) && Array.isArray(value.loc) && typeof value.msg === 'string'

/** The invalid fields of a `detail`; none if it has another form. */
export const fieldErrorsOf = (detail: unknown): FieldError[] =>
  Array.isArray(detail) ? detail.filter(isFieldError) : []

const fieldText = ({ loc, msg }: FieldError) => `${loc.slice(1).join('.') || loc[0]}: ${msg}`

const objectText = (status: number, detail: JsonObject): string => {
  const { error, message, current_tier } = detail
  if (typeof message === 'string') return message
  if (error === 'tier_insufficient')
    return `This requires the tier ${detail.required_tier}; the account has ${current_tier}`
  if (error === 'feature_gate_denied')
    return `The tier ${current_tier} does not include ${detail.feature}; ${detail.recommended_tier} does`
  if (error === 'rate_limited')
    return `Too many requests: wait ${detail.retry_after} seconds before the next one`
  return typeof error === 'string' ? error : `HTTP ${status}`
}

/** The reasons of the fixed texts. */
const FIXED_REASONS: Readonly<Record<string, string>> = {
  [errorText.invalidKey]: 'api_key_invalid',
  [errorText.badCredentials]: 'bad_credentials',
  [errorText.tokenExpired]: 'token_expired',
  [errorText.tooManyRequests]: 'auth_rate_limited',
  [errorText.adminOnly]: 'not_an_admin',
  [errorText.notOrgMember]: 'not_org_member',
}

/** Statuses that only the endpoint itself responds with; others may come from the HTTP layer. */
const STATUSES_OF_ENDPOINTS = [402, 404, 409, 410]

/**
 * The machine-readable name of an error: that of its body, of a fixed text, or the only one that the contract declares.
 * @param declared the reasons that the contract declares for this status of the endpoint.
 */
export const reasonOf = (
  status: number,
  detail: unknown,
  declared: readonly string[],
): string | undefined => {
  if (status === 422 && Array.isArray(detail)) return 'invalid_request'
  const { error } = fieldsOf(detail)
  if (typeof error === 'string') return error
  if (typeof detail !== 'string' || detail === errorText.notFound) return undefined
  const only = STATUSES_OF_ENDPOINTS.includes(status) && declared.length === 1
  return FIXED_REASONS[detail] ?? (only ? declared[0] : undefined)
}

/** How the caller can solve the problem, where that is known. @param retryAfter in seconds. */
export const describeFix = (
  status: number,
  detail: unknown,
  retryAfter: number | undefined,
  requestId: string | null,
): string | undefined => {
  const { error, upgrade_url } = fieldsOf(detail)
  if (error === 'email_not_verified') return 'Open the link in the verification email'
  if (error === 'org_policy') return 'Sign in again in the way that the organization requires'
  if (typeof upgrade_url === 'string') return `Choose another tier at ${upgrade_url}`
  if (retryAfter !== undefined) return `Try again in ${Math.ceil(retryAfter)} seconds`
  if (detail === errorText.tooManyRequests) return 'Try again in a minute'
  if (detail === errorText.adminOnly) return 'Sign in as an admin'
  if (detail === errorText.notOrgMember) return 'Act in an organization of the user, or in none'
  if (status === 401) return 'Sign in again, or set another API key'
  if (status === 413) return 'Send less data'
  if (status === 422) return 'Correct the named fields'
  if (status < 500) return undefined
  return requestId
    ? `Try again later. The server logged it as request ${requestId}`
    : 'Try again later'
}
