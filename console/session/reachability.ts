import { useSyncExternalStore } from 'react'
import { ready } from '../../shared/contract/health.ts'
import { learnTime, serverNow } from './clock.ts'

export interface Reachability {
  isReachable: boolean
  /** When the server last answered; undefined before its first answer. */
  answeredAt: Date | undefined
}

let state: Reachability = { isReachable: true, answeredAt: undefined }
let lastAnswer: Date | undefined
const listeners = new Set<() => void>()

const set = (isReachable: boolean): void => {
  if (isReachable === state.isReachable) return
  state = { isReachable, answeredAt: lastAnswer }
  for (const notify of listeners) notify()
}

const PROBE_TIMEOUT_MS = 5_000
let isProbing = false

/** One request that failed, such as through a proxy, is no outage: the server is asked by another one. */
const probe = async (): Promise<void> => {
  if (isProbing || !state.isReachable) return
  isProbing = true
  try {
    await fetch(ready.path, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
  } catch {
    set(false)
  } finally {
    isProbing = false
  }
}

/** Sends a request, and remembers whether the server answers, with whatever status. */
export const observedFetch = async (url: URL, init: RequestInit): Promise<Response> => {
  const sentAt = Date.now()
  try {
    const response = await fetch(url, init)
    learnTime(response, sentAt)
    lastAnswer = new Date(serverNow())
    set(true)
    return response
  } catch (error) {
    // A request that the page itself ended says nothing.
    if (!(error instanceof DOMException && error.name === 'AbortError')) void probe()
    throw error
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReachability = (): Reachability => useSyncExternalStore(subscribe, () => state)
