import { sql } from 'drizzle-orm'
import type { EventType } from '../../../../shared/events.ts'
import { afterCommit, poolOf } from '../../../platform/db/connections.ts'
import type { Db } from '../../../platform/db/database.ts'
import { rowsOf } from '../../../platform/db/rows.ts'

export interface NewEvent {
  type: EventType
  userId: string
  /** The organization whose webhooks get it too. */
  orgId?: string | null | undefined
  details?: object | undefined
}

/** A webhook of the server (`orgId` is null) or of an organization. */
export interface WebhookRef {
  webhookId: string
  orgId: string | null
}

/** Called with the webhooks that have new deliveries, after the commit. */
type DeliveryListener = (webhooks: readonly WebhookRef[]) => void

const listeners = new WeakMap<Db, DeliveryListener>()

/** Calls `listener` after the commit of each event that is emitted over a connection and that a webhook gets. */
export const onDelivery = (db: Db, listener: DeliveryListener): void => {
  listeners.set(db, listener)
}

/** The body of a request (Standard Webhooks, section "Payload structure"). */
export const payloadOf = (type: string, at: Date, data: object) => ({
  type,
  timestamp: at.toISOString(),
  data,
})

/**
 * Queues events for the webhooks that get them, within the transaction of what they report: an event of a
 * transaction that fails is not sent, and one of a transaction that succeeds is not lost.
 */
export const emitEvents = async (db: Db, events: readonly NewEvent[]): Promise<void> => {
  if (events.length === 0) return
  const now = new Date()
  const rows = events.map(({ type, userId, orgId, details }) => ({
    type,
    id: Bun.randomUUIDv7(),
    org: orgId ?? null,
    payload: payloadOf(type, now, {
      user_id: userId,
      ...(orgId && { org_id: orgId }),
      ...details,
    }),
  }))
  const result = await db.execute(sql`
    with queued as (
      insert into event_deliveries (webhook_id, event_id, type, payload, due_at)
      select w.webhook_id, e.id, e.type, e.payload, now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id uuid, type text, org uuid, payload jsonb)
      join event_webhooks w on (w.org_id is null or w.org_id = e.org)
      where w.is_enabled and (w.types is null or e.type = any(w.types))
      returning webhook_id
    )
    select w.webhook_id as "webhookId", w.org_id as "orgId" from event_webhooks w
    where w.webhook_id in (select webhook_id from queued)`)
  const queued = rowsOf<WebhookRef>(result)
  const listener = listeners.get(poolOf(db))
  if (listener && queued.length) afterCommit(db, () => listener(queued))
}
