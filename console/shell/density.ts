import { browserChoice } from './browser-choice.ts'

export const DENSITIES = ['comfortable', 'compact'] as const

export const {
  set: setDensity,
  applyStored: applyStoredDensity,
  use: useDensity,
} = browserChoice('density', DENSITIES)
