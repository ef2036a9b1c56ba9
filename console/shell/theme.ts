import { useSyncExternalStore } from 'react'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** A preference of this browser. It is no secret, so `localStorage` may have it. */
const STORAGE_KEY = 'svc-theme'

const listeners = new Set<() => void>()

const storedTheme = (): Theme => {
  const stored = localStorage.getItem(STORAGE_KEY)
  return THEMES.find((theme) => theme === stored) ?? 'system'
}

const apply = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

export const setTheme = (theme: Theme): void => {
  localStorage.setItem(STORAGE_KEY, theme)
  apply(theme)
  for (const notify of listeners) notify()
}

export const applyStoredTheme = (): void => apply(storedTheme())

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme)
