import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { CheckoutRecords } from '../checkout/records.ts'
import { effectOf } from '../stripe/effects.ts'
import type { StripeSettings } from '../stripe/settings.ts'
import type { TierCatalog } from '../tiers.ts'
import { type ApplyDeps, createApplyEffect } from './apply.ts'
import { recordEvent } from './store.ts'
import { verifyEvent } from './verify.ts'

export type WebhookService = ReturnType<typeof startWebhooks>

/** Applies the payment provider's events, which arrive repeatedly and in any order. */
export const startWebhooks = ({
  database: { db },
  checkouts,
  tiers,
  settings: { webhookSecret },
  log,
  ...applyDeps
}: Omit<ApplyDeps, 'checkouts'> & {
  database: Database
  checkouts: Pick<CheckoutRecords, 'has'>
  tiers: TierCatalog
  settings: StripeSettings
  log: Log
}) => {
  const applyEffect = createApplyEffect({ ...applyDeps, checkouts })

  return {
    /** Applies an event before it is acknowledged. @throws as `verifyEvent`. */
    async receive(body: string, signature: string | null): Promise<{ received: boolean }> {
      const event = await verifyEvent(body, signature, webhookSecret)
      const effect = effectOf(event, tiers)
      const fields = { event_id: event.id, type: event.type }
      if (!effect) {
        log.info(fields, 'payment event without effect')
        return { received: true }
      }
      await db.transaction(async (tx) => {
        if (!(await recordEvent(tx, event.id, event.type))) return
        if (!(await applyEffect(tx, effect)))
          log.warn(fields, 'payment event for a user who does not exist')
      })
      return { received: true }
    },
  }
}
