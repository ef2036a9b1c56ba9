import { browserChoice } from './browser-choice.ts'

export const THEMES = ['system', 'light', 'dark'] as const

export const {
  set: setTheme,
  applyStored: applyStoredTheme,
  use: useTheme,
} = browserChoice('theme', THEMES)
