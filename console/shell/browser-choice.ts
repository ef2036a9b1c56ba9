import { useSyncExternalStore } from 'react'

interface BrowserChoice<T extends string> {
  set: (value: T) => void
  /** Called before the first screen. */
  applyStored: () => void
  use: () => T
}

/**
 * A preference of this browser for the look of the console, as an attribute `data-<name>` of the root element.
 * It is no secret, so `localStorage` may have it.
 * @param values the first one is the default, which sets no attribute.
 */
export const browserChoice = <T extends string>(
  name: string,
  values: readonly [T, ...T[]],
): BrowserChoice<T> => {
  const key = `svc-${name}`
  const listeners = new Set<() => void>()
  const stored = (): T => {
    const value = localStorage.getItem(key)
    return values.find((each) => each === value) ?? values[0]
  }
  const apply = (value: T): void => {
    if (value === values[0]) delete document.documentElement.dataset[name]
    else document.documentElement.dataset[name] = value
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    set(value) {
      localStorage.setItem(key, value)
      apply(value)
      for (const notify of listeners) notify()
    },
    applyStored: () => apply(stored()),
    use: () => useSyncExternalStore(subscribe, stored),
  }
}
