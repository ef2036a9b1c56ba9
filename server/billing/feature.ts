import type { AuditService } from '../account/users/audit/service.ts'
import { defineFeature } from '../feature.ts'
import { startBilling } from './billing.ts'
import { billingRetention } from './retention.ts'
import { serveBilling } from './routes.ts'

/** Tiers with their limits, usage, and payments by Stripe. */
export const billing = defineFeature({
  name: 'billing',
  retention: () => billingRetention,
  start: (core, { account }: { account: { audit: Pick<AuditService, 'record'> } }) =>
    startBilling(core, account),
  endings: ({ erase }) => ({ user: [{ run: (tx, { id }) => erase(tx, id) }] }),
  serve: serveBilling,
})
