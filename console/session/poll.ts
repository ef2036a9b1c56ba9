import { ApiFailure } from '../../shared/client.ts'

const MAX_INTERVAL_MS = 60_000

export interface Polled {
  state: { status: string; error: Error | null; dataUpdatedAt: number; errorUpdatedAt: number }
}

/** A client error stays the same when the request is repeated, except too many requests. */
const isFinal = (error: Error | null): boolean =>
  error instanceof ApiFailure && error.status < 500 && error.status !== 429

/**
 * The time until a query is requested again. During an outage it is the time since the last success, at
 * most a minute; after a client error there is no further request. TanStack Query pauses in a hidden tab.
 */
export const pollInterval = ({ state }: Polled, intervalMs: number | undefined): number | false => {
  if (intervalMs === undefined) return false
  if (state.status !== 'error') return intervalMs
  if (isFinal(state.error)) return false
  return Math.min(Math.max(intervalMs, state.errorUpdatedAt - state.dataUpdatedAt), MAX_INTERVAL_MS)
}
