import { EVENT_DELIVERY_DAYS } from '../../../../shared/contract/event-webhooks.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../../platform/fetch/request.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import { defineRetention } from '../../../platform/retention.ts'
import { GONE, postWebhook } from '../../../platform/webhook.ts'
import { onDelivery, type WebhookRef } from '../../users/events/store.ts'
import type { EventDeliveryRow, EventWebhookRow } from '../../users/events/table.ts'
import {
  deleteDeliveriesBefore,
  disableDead,
  findDue,
  leaseWebhook,
  listDueWebhooks,
  recordAttempt,
  releaseWebhook,
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
/** A receiver with many events does not hold a worker for longer. */
const AT_ONCE = 50
/** The workers of the webhooks of organizations, which those of the server do not share. */
const ORG_WORKERS = 12
const WORKERS_PER_ORG = 2
const SERVER_WORKERS = 4
/** A receiver that did not answer in time gets nothing for this long, so that it cannot hold workers. */
const REST_SECONDS = 30
/** How long an attempt may take beyond its time-out, until another process delivers in its place. */
const LEASE_MARGIN_SECONDS = 10
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
export type Deliver = (webhook: WebhookRef) => Promise<void>

interface Due extends WebhookRef {
  /** The attempts of a retry, which does not wait for those that are due now. */
  retry?: number
}

/** Starts the delivery of events. */
export const startEventDelivery = async (deps: EventDeliveryDeps): Promise<Deliver> => {
  const { database, jobs, log } = deps
  const { query } = database.background
  const send = ({ webhookId, orgId, retry }: Due, afterSeconds = 0) =>
    jobs.send(
      orgId === null ? serverKind : orgKind,
      { webhookId, orgId, ...(retry && { retry }) },
      { afterSeconds },
    )
  const kindOf = (
    name: string,
    workers: Pick<JobKind<Due>, 'groupOf' | 'concurrency' | 'perGroup'>,
  ): JobKind<Due> => ({
    name,
    retries: 3,
    keyOf: ({ webhookId, retry = 0 }) => `${webhookId} ${retry}`,
    ...workers,
    run: (due) => deliverDue(deps, due, send),
  })
  const orgKind = kindOf('event-webhook', {
    groupOf: ({ orgId, webhookId }) => orgId ?? webhookId,
    concurrency: ORG_WORKERS,
    perGroup: WORKERS_PER_ORG,
  })
  const serverKind = kindOf('server-event-webhook', { concurrency: SERVER_WORKERS })
  const sweep: JobKind<object> = {
    name: 'event-webhook-sweep',
    retries: 0,
    keyOf: () => 'all',
    async run() {
      for (const webhook of await listDueWebhooks(query)) await send(webhook)
    },
  }
  jobs.work(orgKind)
  jobs.work(serverKind)
  // For events whose process was killed after their commit, and those of a webhook that was enabled again.
  jobs.repeat(sweep, {}, EVERY_MINUTE)
  await jobs.send(sweep, {})

  for (const connection of [database, database.background, database.bulk])
    onDelivery(connection.db, (webhooks) => {
      for (const webhook of webhooks)
        send(webhook).catch((error: unknown) =>
          log.warn({ error }, 'an event waits for the next minute'),
        )
    })
  return send
}

/** Delivers the due events of a webhook in their order, unless another worker does. */
const deliverDue = async (
  deps: EventDeliveryDeps,
  { webhookId, orgId }: Due,
  send: (due: Due, afterSeconds?: number) => Promise<void>,
): Promise<void> => {
  const { db } = deps.database.background
  const leaseId = Bun.randomUUIDv7()
  const leaseSeconds = Math.ceil(deps.timeoutMs / 1000) + LEASE_MARGIN_SECONDS
  const retry = (attempts: number, seconds: number) =>
    send({ webhookId, orgId, retry: attempts }, seconds)
  for (let count = 0; count < AT_ONCE; count++) {
    const webhook = await leaseWebhook(db, webhookId, leaseId, leaseSeconds)
    if (!webhook) break
    const delivery = await findDue(db, webhookId)
    if (!delivery) break
    const { isTimeout } = await attempt(deps, webhook, delivery, retry)
    if (isTimeout) {
      await leaseWebhook(db, webhookId, leaseId, REST_SECONDS)
      await send({ webhookId, orgId }, REST_SECONDS)
      return
    }
  }
  // An event that was stored after the last look found the webhook leased.
  if ((await releaseWebhook(db, webhookId, leaseId)) && (await findDue(db, webhookId)))
    await send({ webhookId, orgId })
}

/** Sends one event, and records what came of it. @returns whether the receiver took too long. */
const attempt = async (
  deps: EventDeliveryDeps,
  webhook: EventWebhookRow,
  delivery: EventDeliveryRow,
  retry: (attempts: number, seconds: number) => Promise<void>,
): Promise<{ isTimeout: boolean }> => {
  const { db } = deps.database.background
  const { error, status = null, isTimeout = false } = await post(deps, webhook, delivery)
  if (error === undefined) {
    await recordAttempt(db, delivery, {
      state: 'delivered',
      status,
      error: null,
      deliveredAt: new Date(),
    })
    return { isTimeout }
  }
  if (status === GONE)
    await updateWebhook(db, webhook.orgId, webhook.webhookId, {
      isEnabled: false,
      disabledReason: GONE_REASON,
    })
  const retrySeconds = status === GONE ? undefined : RETRY_SECONDS[delivery.attempts]
  const isRecorded = await recordAttempt(db, delivery, {
    state: retrySeconds === undefined ? 'failed' : 'waiting',
    status,
    error,
    ...(retrySeconds !== undefined && { retrySeconds }),
  })
  if (isRecorded && retrySeconds === undefined && status !== GONE)
    await disableDead(db, delivery, DEAD_REASON)
  if (retrySeconds !== undefined) await retry(delivery.attempts + 1, retrySeconds)
  return { isTimeout }
}

/** @returns the status of the response, or why there was none. */
const post = async (
  { cipher, fetcher, timeoutMs }: Pick<EventDeliveryDeps, 'cipher' | 'fetcher' | 'timeoutMs'>,
  { url, sealedSecret, webhookId }: EventWebhookRow,
  { eventId, payload }: EventDeliveryRow,
): Promise<{ status?: number; error?: string; isTimeout?: boolean }> => {
  const secret = cipher.open(sealedSecret, webhookId)
  if (secret === undefined) return { error: 'The secret cannot be read; renew it' }
  try {
    const status = await postWebhook(fetcher, { url, id: eventId, secret, payload }, timeoutMs)
    return status >= 200 && status <= 299
      ? { status }
      : { status, error: `The webhook responded with status ${status}` }
  } catch (error) {
    if (error instanceof FetchFailure)
      return { error: error.message, isTimeout: error.reason === 'timeout' }
    throw error
  }
}

export const deliveryRetention = defineRetention({
  name: 'event_deliveries',
  run: ({ query }) => deleteDeliveriesBefore(query, EVENT_DELIVERY_DAYS),
})
