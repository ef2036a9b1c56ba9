import type { Mounts } from '../../platform/http/mounts.ts'
import type { Billing } from './billing.ts'
import { checkoutRoutes } from './checkout/service.ts'
import { billingRoutes } from './overview.ts'
import { webhookRoutes } from './webhooks/service.ts'

export const serveBilling = ({ mount }: Pick<Mounts, 'mount'>, billing: Billing): void => {
  billingRoutes(mount, billing.overview)
  checkoutRoutes(mount, billing.checkouts)
  webhookRoutes(mount, billing.webhooks)
}
