import { useSyncExternalStore } from 'react'

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

/** Sends a request, and remembers whether the server answers, with whatever status. */
export const observedFetch = async (url: URL, init: RequestInit): Promise<Response> => {
  try {
    const response = await fetch(url, init)
    lastAnswer = new Date()
    set(true)
    return response
  } catch (error) {
    // A request that the page itself ended says nothing.
    if (!(error instanceof DOMException && error.name === 'AbortError')) set(false)
    throw error
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReachability = (): Reachability => useSyncExternalStore(subscribe, () => state)
