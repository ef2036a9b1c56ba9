import { type ErrorComponentProps, Link } from '@tanstack/react-router'
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

/** A screen that failed to render, or whose scripts could not be loaded. */
export const ErrorPage = ({ error }: ErrorComponentProps) => (
  <Page
    title={common.crashed}
    actions={<Button onPress={() => location.reload()}>{common.reload}</Button>}
  >
    <ErrorNotice error={error instanceof Error ? error : new Error(String(error))} />
  </Page>
)
