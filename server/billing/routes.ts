import type { Mounts } from '../platform/http/mounts.ts'
import type { Billing } from './billing.ts'
import { checkoutRoutes } from './checkout/service.ts'
import { pricingPages } from './overview/pages.ts'
import { billingRoutes } from './overview/service.ts'
import { webhookRoutes } from './webhooks/service.ts'

export const serveBilling = ({ mount, mountPage }: Mounts, billing: Billing): void => {
  billingRoutes(mount, billing.overview, billing.usage)
  checkoutRoutes(mount, billing.checkouts)
  webhookRoutes(mount, billing.webhooks)
  pricingPages(mountPage, billing.overview)
}
