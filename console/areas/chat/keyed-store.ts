import { useSyncExternalStore } from 'react'

/** Values by key outside of components, so that they outlive the screen that shows them. */
export const createKeyedStore = <T>(initial: T) => {
  const values = new Map<string, T>()
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = (key: string): T => (values.has(key) ? (values.get(key) as T) : initial)
  return {
    get,
    set(key: string, value: T): void {
      if (value === initial) values.delete(key)
      else values.set(key, value)
      for (const listener of listeners) listener()
    },
    entries: (): [string, T][] => [...values],
    use: (key: string): T => useSyncExternalStore(subscribe, () => get(key)),
  }
}
