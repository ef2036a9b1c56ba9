import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { Unreachable } from '../../shared/client.ts'
import { useReachability } from '../session/reachability.ts'
import { common } from '../texts/common.ts'
import { Button } from '../ui/button.tsx'
import { ErrorNotice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'

export const NotFoundPage = () => (
  <Page title={common.nowhere}>
    <p>
      <Link to="/">{common.home}</Link>
    </p>
  </Page>
)

/** A screen that failed to render. */
export const ErrorPage = ({ error, reset }: ErrorComponentProps) =>
  error instanceof Unreachable ? (
    <UnloadedPage error={error} reset={reset} />
  ) : (
    <Page
      title={common.crashed}
      actions={<Button onPress={() => location.reload()}>{common.reload}</Button>}
    >
      <ErrorNotice error={error instanceof Error ? error : new Error(String(error))} />
    </Page>
  )

/** A screen whose scripts could not be loaded. They are requested again when the server answers. */
const UnloadedPage = ({ error, reset }: { error: Unreachable; reset: () => void }) => {
  const router = useRouter()
  const { isReachable } = useReachability()
  const retry = useCallback(async () => {
    await router.invalidate()
    reset()
  }, [router, reset])
  useEffect(() => {
    if (isReachable) void retry()
  }, [isReachable, retry])
  return (
    <Page title={common.unloaded}>
      <ErrorNotice error={error} onRetry={retry} />
    </Page>
  )
}
