import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { ErrorNotice } from './notice.tsx'

const SKELETON_HEIGHT = '3.25rem'

export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className="stack-small" role="status" aria-label={common.loading}>
    {Array.from({ length: lines }, (_, line) => (
      <div key={line} className="skeleton" style={{ height: SKELETON_HEIGHT }} />
    ))}
  </div>
)

interface LoadedProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown }
  children: (data: T) => ReactNode
  /** Number of lines of the placeholder. */
  lines?: number
}

/** Shows the data of a query, and otherwise that it loads or why it failed, with a button to retry. */
export const Loaded = <T,>({ query, children, lines = 3 }: LoadedProps<T>) => (
  <>
    {query.error && <ErrorNotice error={query.error} onRetry={() => query.refetch()} />}
    {query.data !== undefined ? children(query.data) : !query.error && <Skeleton lines={lines} />}
  </>
)
