import { setTimeout as sleep } from 'node:timers/promises'

export interface RetrySettings {
  /** The pause before the second try where the server names none. */
  pauseMs: number
  /** A server that wants a longer pause is not asked again. */
  maxPauseMs: number
}

/**
 * `fetch` with one more try after no connection, 5xx or 429, which honours Retry-After (RFC 9110,
 * section 10.2.3). What is fetched twice must be good to repeat.
 */
export const retryingFetch = ({ pauseMs, maxPauseMs }: RetrySettings) => {
  const retrying = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const first = await fetch(input, init).catch(() => undefined)
    if (first && first.status < 500 && first.status !== 429) return first
    const pause = retryAfterMs(first?.headers.get('retry-after')) ?? pauseMs
    if (first && pause > maxPauseMs) return first
    await first?.body?.cancel()
    await sleep(pause, undefined, { signal: init?.signal ?? undefined })
    return fetch(input, init)
  }
  return retrying as typeof fetch
}

/** Seconds or a date. */
export const retryAfterMs = (header: string | null | undefined): number | undefined => {
  if (!header) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
