import { ApiFailure, NotSvc, TimedOut, Unreachable } from './client-errors.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { MAX_TIMER_MS } from './timers.ts'

export interface RetryOptions {
  /** The number of attempts after the first one. */
  maxRetries: number
  /** The longest wait before an attempt, in milliseconds. A server that demands a longer one gets no retry. */
  maxRetryWaitMs: number
}

/**
 * Attempts a call again after failures that pass, at growing intervals or when `Retry-After` says so.
 * A 429 with `Retry-After` was refused before the work, so it is repeated for each endpoint. After other failures
 * the request may have been applied: only those of idempotent endpoints are repeated.
 * @throws the error of the last attempt, or the reason of an aborted call.
 */
export const withRetries = async <T>(
  row: Pick<Endpoint, 'isIdempotent'>,
  attempt: () => Promise<T>,
  { maxRetries, maxRetryWaitMs }: RetryOptions,
  signal?: AbortSignal,
): Promise<T> => {
  for (let retries = 0; ; retries++)
    try {
      return await attempt()
    } catch (error) {
      if (retries >= maxRetries || !isTransient(row, error)) throw error
      const demanded = error instanceof ApiFailure ? error.retryAfter : undefined
      const waitMs = demanded === undefined ? backoffMs(retries) : demanded * 1000
      if (waitMs > maxRetryWaitMs) throw error
      await wait(waitMs, signal)
    }
}

const TRANSIENT_STATUSES = [500, 502, 503, 504]

const isTransient = ({ isIdempotent }: Pick<Endpoint, 'isIdempotent'>, error: unknown): boolean => {
  if (error instanceof ApiFailure)
    return error.status === 429
      ? error.retryAfter !== undefined
      : isIdempotent && TRANSIENT_STATUSES.includes(error.status)
  // After a timeout the caller has waited as long as it wanted to.
  const isPermanent = error instanceof NotSvc || error instanceof TimedOut
  return isIdempotent && error instanceof Unreachable && !isPermanent
}

const FIRST_BACKOFF_MS = 250

/** Random, so that clients that failed together do not return together. */
const backoffMs = (retries: number): number =>
  FIRST_BACKOFF_MS * 2 ** retries * (0.5 + Math.random() / 2)

/** @throws the reason of the signal as soon as it is aborted. */
const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(ms, MAX_TIMER_MS),
    )
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
