import { lazy } from 'react'
import type { ConsoleFeature } from '../../feature.ts'
import { billing as texts } from '../../texts/billing.ts'

export const billing: ConsoleFeature = {
  name: 'billing',
  usageScreens: { credits: texts.credits.tab, tiers: texts.tiers.tab },
  upgrade: '/usage/tiers',
  UsageNotice: lazy(async () => ({ default: (await import('./paid.tsx')).PaidNotice })),
}
