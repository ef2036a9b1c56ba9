import { EVENT_DELIVERY_DAYS } from '../../../shared/contract/event-webhooks.ts'
import { type Deliver, onDelivery } from '../../account/users/events/service.ts'
import type {
  EventDeliveryRow,
  EventWebhookRow,
  WebhookRef,
} from '../../account/users/events/table.ts'
import type { Cipher } from '../../platform/cipher.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../platform/fetch/request.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { defineRetention } from '../../platform/retention.ts'
import { GONE, postWebhook } from '../../platform/webhook.ts'
import {
  deleteDeliveriesBefore,
  disableDead,
  listNext,
  listWaitingWebhooks,
  type NextDelivery,
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

/** The workers of the webhooks of organizations, which those of the server do not share. */
const ORG_WORKERS = 12
const WORKERS_PER_ORG = 2
const SERVER_WORKERS = 4
/** A receiver that did not answer in time gets nothing for this long, so that it cannot hold workers. */
const REST_SECONDS = 30
/** A job that fails permanently would hold up the webhook. */
const JOB_RETRIES = 1_000_000
const GONE_REASON = 'The webhook responded with status 410 Gone'
const DEAD_REASON = 'No request was accepted for three days'

export interface EventDeliveryDeps {
  database: Database
  jobs: Pick<Jobs, 'send' | 'absorb' | 'work'>
  cipher: Pick<Cipher, 'open'>
  fetcher: Pick<Fetcher, 'post'>
  timeoutMs: number
}

/** Starts the delivery of events. A job makes one attempt for its webhook, if one is due, and queues the next one. */
export const startEventDelivery = async (deps: EventDeliveryDeps): Promise<Deliver> => {
  const { database, jobs } = deps
  const { db, query } = database.background
  const kindOf = (
    name: string,
    workers: Pick<JobKind<WebhookRef>, 'groupOf' | 'concurrency' | 'perGroup'>,
  ): JobKind<WebhookRef> => ({
    name,
    retries: JOB_RETRIES,
    retrySeconds: REST_SECONDS,
    keyOf: ({ webhookId }) => webhookId,
    isOrdered: true,
    ...workers,
    async run(webhook) {
      // The events of the deleted jobs are found below; later ones have jobs of their own.
      await jobs.absorb(kindFor(webhook), webhook)
      const [due, other] = await listNext(db, webhook.webhookId)
      if (due?.afterSeconds === 0 && (await attempt(deps, due)) && !other) return
      const [next] = await listNext(db, webhook.webhookId)
      if (next) await send(webhook, { afterSeconds: next.afterSeconds })
    },
  })
  const orgKind = kindOf('event-delivery', {
    groupOf: ({ orgId, webhookId }) => orgId ?? webhookId,
    concurrency: ORG_WORKERS,
    perGroup: WORKERS_PER_ORG,
  })
  const serverKind = kindOf('server-event-delivery', { concurrency: SERVER_WORKERS })
  const kindFor = ({ orgId }: Pick<WebhookRef, 'orgId'>) => (orgId === null ? serverKind : orgKind)
  const send = ({ webhookId, orgId }: WebhookRef, options?: { tx?: Db; afterSeconds?: number }) =>
    jobs.send(kindFor({ orgId }), { webhookId, orgId }, options)
  const deliver: Deliver = (webhook, tx) => send(webhook, { tx })
  jobs.work(orgKind)
  jobs.work(serverKind)
  for (const { db } of [database, database.background, database.bulk]) onDelivery(db, deliver)
  // Events have no job that were stored while webhooks were turned off.
  for (const webhook of await listWaitingWebhooks(query)) await send(webhook)
  return deliver
}

/**
 * Sends an event and records what came of it.
 * @returns whether it was accepted.
 * @throws Error if the receiver took too long.
 */
const attempt = async (
  deps: EventDeliveryDeps,
  { webhook, delivery }: NextDelivery,
): Promise<boolean> => {
  const { db } = deps.database.background
  const { error, status = null, isTimeout } = await post(deps, webhook, delivery)
  if (error === undefined) {
    await recordAttempt(db, delivery, {
      state: 'delivered',
      status,
      error: null,
      deliveredAt: new Date(),
    })
    return true
  }
  if (status === GONE)
    await updateWebhook(db, webhook.orgId, webhook.webhookId, {
      isEnabled: false,
      disabledReason: GONE_REASON,
    })
  const retrySeconds = status === GONE ? undefined : RETRY_SECONDS[delivery.attempts]
  const state = retrySeconds === undefined ? 'failed' : 'waiting'
  const isRecorded = await recordAttempt(db, delivery, { state, status, error, retrySeconds })
  if (isRecorded && state === 'failed' && status !== GONE)
    await disableDead(db, delivery, DEAD_REASON)
  if (isTimeout) throw new Error(`The receiver took too long; it rests for ${REST_SECONDS} seconds`)
  return false
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
