import { ApiFailure, Unreachable } from '../../shared/client.ts'
import type { PolicyShortfall } from '../../shared/contract/organization-policies.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { apiText } from '../texts/api-texts.ts'
import { common } from '../texts/common.ts'
import { shortfalls } from '../texts/policies.ts'

const detailOf = (error: Error) => fieldsOf(error instanceof ApiFailure && error.detail)

/** The refusal of an organization whose policies the sign-in does not meet. */
export const shortfallsOf = (error: Error): PolicyShortfall[] => {
  const { error: kind, missing } = detailOf(error)
  return kind === 'org_policy' && Array.isArray(missing) ? missing : []
}

export const isEmailNotVerified = (error: Error): boolean =>
  detailOf(error).error === 'email_not_verified'

/** Whether another tier or credits would help. */
export const isPayable = (error: Error): boolean =>
  (error instanceof ApiFailure && error.status === 402) || detailOf(error).upgrade_url !== undefined

/** An error in words: what the API reports, or what the user can do about it. */
export const describeError = (error: Error): string => {
  if (error instanceof Unreachable) return common.unreachable
  if (!(error instanceof ApiFailure)) return error.message || common.failed
  if (error.status === 429 && error.retryAfter !== undefined)
    return common.tooManyRequests(Math.ceil(error.retryAfter))
  if (isEmailNotVerified(error)) return common.emailNotVerified
  if (shortfallsOf(error).length) return shortfalls.intro
  return apiText(error.message)
}
