import { getTiers, getUsage, usageHistory } from '../../shared/contract/index.ts'
import { defineFeature } from '../feature.ts'
import { pricingPages } from './pages.ts'
import { presentTerms, startUsage } from './usage.ts'

/** Tiers with their limits, and the usage that counts against them. */
export const usage = defineFeature({
  name: 'usage',
  start: startUsage,
  serve({ mount, mountPage }, { counts, terms }) {
    mount(getTiers, () => presentTerms(terms))
    mount(getUsage, ({ caller }) => counts.read(caller))
    mount(usageHistory, ({ caller, query }) => counts.history(caller, query.months))
    pricingPages(mountPage, terms)
  },
})
