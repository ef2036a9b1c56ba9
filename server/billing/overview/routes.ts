import {
  getBalance,
  getBilling,
  getPaygCap,
  getTiers,
  getUsage,
  setPayg,
  setPaygCap,
  usageHistory,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { UsageService } from '../usage/service.ts'
import type { BillingOverview } from './service.ts'

export const billingRoutes = (
  mount: Mount,
  billing: BillingOverview,
  usage: UsageService,
): void => {
  mount(getTiers, () => billing.listTiers())
  mount(getUsage, ({ caller }) => usage.read(caller))
  mount(usageHistory, ({ caller, query }) => usage.history(caller, query.months))
  mount(getBalance, ({ caller }) => billing.balance(caller))
  mount(getBilling, ({ caller }) => billing.me(caller))
  mount(getPaygCap, ({ caller }) => billing.cap(caller))
  mount(setPaygCap, ({ caller, body }) => billing.setCap(caller, body))
  mount(setPayg, ({ caller, body }) => billing.setPayg(caller, body))
}
