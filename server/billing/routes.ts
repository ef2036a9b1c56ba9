import type { Mounts } from '../platform/http/mounts.ts'
import type { Billing } from './billing.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { pricingPages } from './overview/pages.ts'
import { billingRoutes } from './overview/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export const serveBilling = ({ mount, mountPage }: Mounts, billing: Billing): void => {
  billingRoutes(mount, billing.overview, billing.usage)
  checkoutRoutes(mount, billing.checkouts)
  webhookRoutes(mount, billing.webhooks)
  pricingPages(mountPage, billing.overview)
}
