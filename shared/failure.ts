import type { FieldError } from './errors.ts'
import { isObject, type JsonObject } from './objects.ts'

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
