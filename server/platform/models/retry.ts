import { setTimeout as sleep } from 'node:timers/promises'

export interface RetrySettings {
  /** The pause before the retry if the server sends no Retry-After. */
  pauseMs: number
  /** A longer Retry-After prevents the retry. */
  maxPauseMs: number
}

/**
 * Adds one retry to a `fetch` after a failed connection, 5xx or 429, which honors Retry-After (RFC 9110,
 * section 10.2.3). The request must be safe to repeat.
 */
export const retryingFetch = (
  send: typeof fetch,
  { pauseMs, maxPauseMs }: RetrySettings,
): typeof fetch => {
  const retrying = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const first = await send(input, init).catch(() => undefined)
    if (first && first.status < 500 && first.status !== 429) return first
    const pause = retryAfterMs(first?.headers.get('retry-after')) ?? pauseMs
    if (first && pause > maxPauseMs) return first
    await first?.body?.cancel()
    await sleep(pause, undefined, { signal: init?.signal ?? undefined })
    return send(input, init)
  }
  return retrying as typeof fetch
}

/** Parses Retry-After, in seconds or as a date. */
export const retryAfterMs = (header: string | null | undefined): number | undefined => {
  if (!header) return undefined
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0)
}
