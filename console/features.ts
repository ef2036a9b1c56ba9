import type { OptionalFeature } from '../shared/features.ts'

/** The page names the features that the operator has turned off. */
const off = (document.documentElement.dataset.off ?? '').split(' ')

export const isOn = (feature: OptionalFeature): boolean => !off.includes(feature)
