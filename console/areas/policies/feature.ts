import { lazy } from 'react'
import type { ConsoleFeature } from '../../feature.ts'

export const policies: ConsoleFeature = {
  name: 'policies',
  MemberSection: lazy(async () => ({ default: (await import('./policies.tsx')).Policies })),
}
