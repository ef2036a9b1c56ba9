import { sql } from 'drizzle-orm'
import type { EventType } from '../../../../shared/events.ts'
import { poolOf } from '../../../platform/db/connections.ts'
import type { Db } from '../../../platform/db/database.ts'
import { rowsOf } from '../../../platform/db/rows.ts'
import type { WebhookRef } from './table.ts'

export interface NewEvent {
  type: EventType
  userId: string
  /** The organization whose webhooks get it too. */
  orgId?: string | null | undefined
  details?: object | undefined
}

/** Queues the delivery of what is due for a webhook. */
export type Deliver = (webhook: WebhookRef, tx: Db) => Promise<void>

const deliverers = new WeakMap<Db, Deliver>()

/** Calls `deliver` for each webhook that gets an event which is emitted over a connection. */
export const onDelivery = (db: Db, deliver: Deliver): void => {
  deliverers.set(db, deliver)
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
  const pool = poolOf(db)
  const deliver = deliverers.get(pool)
  if (deliver && pool === db) return db.transaction((tx) => emitEvents(tx, events))
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
  for (const webhook of rowsOf<WebhookRef>(result)) await deliver?.(webhook, db)
}
