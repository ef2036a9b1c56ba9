import type { CliFeature } from './feature.ts'
import { automation } from './features/automation/feature.ts'
import { billing } from './features/billing/feature.ts'
import { people } from './features/people/feature.ts'
import { policies } from './features/policies/feature.ts'
import { userImport } from './features/user-import/feature.ts'

/** The optional features that have commands, in the order of the help. */
export const features: readonly CliFeature[] = [people, automation, billing, policies, userImport]
