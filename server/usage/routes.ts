import { getTiers, getUsage, usageHistory } from '../../shared/contract/index.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import { pricingPages } from './pages.ts'
import { presentTerms, type UsageServices } from './usage.ts'

export const serveUsage = (
  { mount, mountPage }: Mounts,
  { counts, terms }: UsageServices,
): void => {
  mount(getTiers, () => presentTerms(terms))
  mount(getUsage, ({ caller }) => counts.read(caller))
  mount(usageHistory, ({ caller, query }) => counts.history(caller, query.months))
  pricingPages(mountPage, terms)
}
