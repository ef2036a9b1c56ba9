import { defineRetention } from '../../platform/retention.ts'
import { deleteOldCheckouts } from './checkout/store.ts'
import { deleteOldEvents } from './webhooks/store.ts'

/** Stripe repeats an event for three days; a checkout is open for one day and may be paid weeks later. */
const KEPT_DAYS = 60

export const billingRetention = [
  defineRetention({ name: 'payment_events', run: ({ db }) => deleteOldEvents(db, KEPT_DAYS) }),
  defineRetention({ name: 'checkouts', run: ({ db }) => deleteOldCheckouts(db, KEPT_DAYS) }),
]
