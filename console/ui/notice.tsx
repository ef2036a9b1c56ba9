import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFailure, Unreachable } from '../../shared/client.ts'
import type { PolicyShortfall } from '../../shared/contract/organization-policies.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { apiText } from '../texts/api-texts.ts'
import { common } from '../texts/common.ts'
import { shortfalls } from '../texts/policies.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { PolicyActions, PolicySteps } from './policy-steps.tsx'
import { ResendVerification } from './resend-verification.tsx'

const detailOf = (error: Error) => fieldsOf(error instanceof ApiFailure && error.detail)

/** The refusal of an organization whose policies the sign-in does not meet. */
const shortfallsOf = (error: Error): PolicyShortfall[] => {
  const { error: kind, missing } = detailOf(error)
  return kind === 'org_policy' && Array.isArray(missing) ? missing : []
}

const isEmailNotVerified = (error: Error): boolean => detailOf(error).error === 'email_not_verified'

/** Whether another tier or credits would help. */
const isPayable = (error: Error): boolean =>
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

interface ErrorNoticeProps {
  error: Error
  onRetry?: (() => unknown) | undefined
}

export const ErrorNotice = ({ error, onRetry }: ErrorNoticeProps) => {
  const missing = shortfallsOf(error)
  const requestId = error instanceof ApiFailure && error.status >= 500 ? error.requestId : null
  return (
    <div className="notice bad" role="alert">
      <div>
        <p>{describeError(error)}</p>
        {missing.length > 0 && <PolicySteps missing={missing} />}
        {requestId && <p className="small mono">{common.requestId(requestId)}</p>}
      </div>
      {isPayable(error) && (
        <Link className="button small" to="/usage">
          {common.paymentRequired}
        </Link>
      )}
      {isEmailNotVerified(error) && <ResendVerification />}
      {missing.length > 0 && <PolicyActions missing={missing} />}
      {onRetry && (
        <Button isSmall onPress={() => void onRetry()}>
          {common.retry}
        </Button>
      )}
    </div>
  )
}

interface NoticeProps {
  look?: 'good' | 'warn' | 'bad'
  children: ReactNode
  action?: ReactNode
}

export const Notice = ({ look, children, action }: NoticeProps) => (
  <div className={look ? `notice ${look}` : 'notice'}>
    <div>{children}</div>
    {action}
  </div>
)

interface EmptyStateProps {
  icon: IconName
  title: string
  /** One sentence that says what belongs here. */
  children: ReactNode
  /** The next step: every empty place has one. */
  actions: ReactNode
}

export const EmptyState = ({ icon, title, children, actions }: EmptyStateProps) => (
  <div className="empty">
    <Icon name={icon} />
    <h2>{title}</h2>
    <p>{children}</p>
    <div className="empty-actions">{actions}</div>
  </div>
)
