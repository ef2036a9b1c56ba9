import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiFailure } from '../../shared/client.ts'
import { common } from '../texts/common.ts'
import { Button } from './button.tsx'
import { describeError, isEmailNotVerified, isPayable, shortfallsOf } from './describe-error.ts'
import { Icon, type IconName } from './icon.tsx'
import { PolicyActions, PolicySteps } from './policy-steps.tsx'
import { ResendVerification } from './resend-verification.tsx'

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
