import { checkout, portal } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { CheckoutService } from './service.ts'

export const checkoutRoutes = (mount: Mount, checkouts: CheckoutService): void => {
  mount(checkout, ({ caller, query, body }) => checkouts.checkout(caller, body, query))
  mount(portal, ({ caller, query }) => checkouts.portal(caller, query))
}
