import { EVENT_DELIVERY_DAYS } from '../../../../shared/contract/event-webhooks.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../../platform/fetch/request.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import { defineRetention } from '../../../platform/retention.ts'
import { GONE, postWebhook } from '../../../platform/webhook.ts'
import { onDelivery } from '../../users/events/store.ts'
import type { EventDeliveryRow, EventWebhookRow } from '../../users/events/table.ts'
import {
  claimDue,
  deleteDeliveriesBefore,
  disableDead,
  listDueWebhooks,
  recordAttempt,
  updateWebhook,
} from './store.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

/** The seconds until the attempts after the first one (Standard Webhooks, section "Retry schedule"). */
export const RETRY_SECONDS: readonly number[] = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

const EVERY_MINUTE = '* * * * *'
/** A receiver that is slow for all of its events does not hold a worker for longer. */
const AT_ONCE = 50
const WEBHOOKS_AT_ONCE = 4
const GONE_REASON = 'The webhook responded with status 410 Gone'
const DEAD_REASON = 'No request was accepted for three days'

export interface EventDeliveryDeps {
  database: Database
  jobs: Pick<Jobs, 'send' | 'work' | 'repeat'>
  cipher: Pick<Cipher, 'open'>
  fetcher: Pick<Fetcher, 'post'>
  timeoutMs: number
  log: Pick<Log, 'warn' | 'error'>
}

/** Delivers what is due for a webhook soon. */
export type Deliver = (webhookId: string) => Promise<void>

interface Due {
  webhookId: string
  /** The attempts of a retry, which does not wait for those that are due now. */
  retry?: number
}

/** Starts the delivery of events. */
export const startEventDelivery = async (deps: EventDeliveryDeps): Promise<Deliver> => {
  const { database, jobs, log } = deps
  const { db, query } = database.background

  const attempt = async (webhook: EventWebhookRow, delivery: EventDeliveryRow): Promise<void> => {
    const outcome = await post(deps, webhook, delivery)
    if (outcome.error === undefined) {
      await recordAttempt(db, delivery, {
        ...{ state: 'delivered', status: outcome.status, error: null, deliveredAt: new Date() },
      })
      return
    }
    const { status = null, error } = outcome
    if (status === GONE)
      await updateWebhook(db, webhook.orgId, webhook.webhookId, {
        ...{ isEnabled: false, disabledReason: GONE_REASON },
      })
    const retrySeconds = status === GONE ? undefined : RETRY_SECONDS[delivery.attempts]
    const isRecorded = await recordAttempt(db, delivery, {
      ...{ state: retrySeconds === undefined ? 'failed' : 'waiting', status, error },
      ...(retrySeconds !== undefined && { retrySeconds }),
    })
    if (isRecorded && retrySeconds === undefined && status !== GONE)
      await disableDead(db, delivery, DEAD_REASON)
    if (retrySeconds !== undefined)
      await jobs.send(
        kind,
        { webhookId: webhook.webhookId, retry: delivery.attempts + 1 },
        { afterSeconds: retrySeconds },
      )
  }

  const kind: JobKind<Due> = {
    name: 'event-webhook',
    retries: 3,
    keyOf: ({ webhookId, retry = 0 }) => `${webhookId} ${retry}`,
    groupOf: ({ webhookId }) => webhookId,
    concurrency: WEBHOOKS_AT_ONCE,
    perGroup: 1,
    async run({ webhookId }) {
      for (let count = 0; count < AT_ONCE; count++) {
        const due = await claimDue(db, webhookId)
        if (!due) return
        await attempt(due.webhook, due.delivery)
      }
      await jobs.send(kind, { webhookId })
    },
  }
  const sweep: JobKind<object> = {
    name: 'event-webhook-sweep',
    retries: 0,
    keyOf: () => 'all',
    async run() {
      for (const webhookId of await listDueWebhooks(query)) await jobs.send(kind, { webhookId })
    },
  }
  jobs.work(kind)
  // For events whose process was killed after their commit, and those of a webhook that was enabled again.
  jobs.repeat(sweep, {}, EVERY_MINUTE)
  await jobs.send(sweep, {})

  const deliver = (webhookId: string) => jobs.send(kind, { webhookId })
  for (const connection of [database, database.background, database.bulk])
    onDelivery(connection.db, (webhookIds) => {
      for (const webhookId of webhookIds)
        deliver(webhookId).catch((error: unknown) =>
          log.warn({ error }, 'an event waits for the next minute'),
        )
    })
  return deliver
}

/** @returns the status of the response, and why the attempt failed. */
const post = async (
  { cipher, fetcher, timeoutMs }: Pick<EventDeliveryDeps, 'cipher' | 'fetcher' | 'timeoutMs'>,
  { url, sealedSecret, webhookId }: EventWebhookRow,
  { eventId, payload }: EventDeliveryRow,
): Promise<{ status?: number; error?: string }> => {
  const secret = cipher.open(sealedSecret, webhookId)
  if (secret === undefined) return { error: 'The secret cannot be read; renew it' }
  try {
    const status = await postWebhook(fetcher, { url, id: eventId, secret, payload }, timeoutMs)
    return status >= 200 && status <= 299
      ? { status }
      : { status, error: `The webhook responded with status ${status}` }
  } catch (error) {
    if (error instanceof FetchFailure) return { error: error.message }
    throw error
  }
}

export const deliveryRetention = defineRetention({
  name: 'event_deliveries',
  run: ({ query }) => deleteDeliveriesBefore(query, EVENT_DELIVERY_DAYS),
})
