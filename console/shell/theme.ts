export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** A preference of this browser. It is no secret, so `localStorage` may have it. */
const STORAGE_KEY = 'svc-theme'

export const storedTheme = (): Theme => {
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
}

export const applyStoredTheme = (): void => apply(storedTheme())
