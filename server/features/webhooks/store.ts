import { and, asc, desc, eq, gt, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { DeliveryQuery } from '../../../shared/contract/event-webhooks.ts'
import type { WebhookRef } from '../../account/users/events/table.ts'
import {
  type EventDeliveryRow,
  type EventWebhookRow,
  eventDeliveries,
  eventWebhooks,
} from '../../account/users/events/table.ts'
import type { Db, Query } from '../../platform/db/database.ts'

/** The webhooks of the server, or of an organization. */
export type WebhookOwner = string | null

const isOf = (owner: WebhookOwner) =>
  owner === null ? isNull(eventWebhooks.orgId) : eq(eventWebhooks.orgId, owner)

const isWebhook = (owner: WebhookOwner, webhookId: string) =>
  and(isOf(owner), eq(eventWebhooks.webhookId, webhookId))

export const listWebhooks = (db: Db, owner: WebhookOwner): Promise<EventWebhookRow[]> =>
  db.select().from(eventWebhooks).where(isOf(owner)).orderBy(asc(eventWebhooks.webhookId))

export const countWebhooks = (tx: Db, owner: WebhookOwner): Promise<number> =>
  tx.$count(eventWebhooks, isOf(owner))

export const findWebhook = async (
  db: Db,
  owner: WebhookOwner,
  webhookId: string,
): Promise<EventWebhookRow | undefined> => {
  const [row] = await db.select().from(eventWebhooks).where(isWebhook(owner, webhookId))
  return row
}

export const insertWebhook = async (
  tx: Db,
  row: typeof eventWebhooks.$inferInsert,
): Promise<EventWebhookRow> => {
  const [created] = await tx.insert(eventWebhooks).values(row).returning()
  if (!created) throw new Error('the webhook was not stored')
  return created
}

export const updateWebhook = async (
  tx: Db,
  owner: WebhookOwner,
  webhookId: string,
  values: Partial<typeof eventWebhooks.$inferInsert>,
): Promise<EventWebhookRow | undefined> => {
  const [row] = await tx
    .update(eventWebhooks)
    .set(values)
    .where(isWebhook(owner, webhookId))
    .returning()
  return row
}

/** @returns whether there was one. */
export const deleteWebhook = async (
  tx: Db,
  owner: WebhookOwner,
  webhookId: string,
): Promise<boolean> => {
  const deleted = await tx
    .delete(eventWebhooks)
    .where(isWebhook(owner, webhookId))
    .returning({ id: eventWebhooks.webhookId })
  await tx.delete(eventDeliveries).where(eq(eventDeliveries.webhookId, webhookId))
  return deleted.length > 0
}

/** Deletes the webhooks of an organization within the transaction that deletes it. */
export const eraseWebhooks = async (tx: Db, orgId: string): Promise<void> => {
  for (const { webhookId } of await listWebhooks(tx, orgId))
    await deleteWebhook(tx, orgId, webhookId)
}

const isDelivery = (webhookId: string, eventId: string) =>
  and(eq(eventDeliveries.webhookId, webhookId), eq(eventDeliveries.eventId, eventId))

/** Newest first. */
export const listDeliveries = (
  db: Db,
  webhookId: string,
  { state, type, limit, cursor }: DeliveryQuery,
): Promise<EventDeliveryRow[]> =>
  db
    .select()
    .from(eventDeliveries)
    .where(
      and(
        eq(eventDeliveries.webhookId, webhookId),
        state && eq(eventDeliveries.state, state),
        type === undefined ? undefined : eq(eventDeliveries.type, type),
        cursor === undefined ? undefined : lt(eventDeliveries.eventId, cursor),
      ),
    )
    .orderBy(desc(eventDeliveries.eventId))
    .limit(limit + 1)

export const insertDelivery = async (
  db: Db,
  row: Pick<EventDeliveryRow, 'webhookId' | 'eventId' | 'type' | 'payload'>,
): Promise<EventDeliveryRow> => {
  const [created] = await db
    .insert(eventDeliveries)
    .values({ ...row, dueAt: sql`now()` })
    .returning()
  if (!created) throw new Error('the delivery was not stored')
  return created
}

const AGAIN = {
  state: 'waiting' as const,
  attempts: 0,
  status: null,
  error: null,
  deliveredAt: null,
  dueAt: sql`now()`,
}

/** Queues an event again. */
export const replayDelivery = async (
  db: Db,
  webhookId: string,
  eventId: string,
): Promise<EventDeliveryRow | undefined> => {
  const [row] = await db
    .update(eventDeliveries)
    .set(AGAIN)
    .where(isDelivery(webhookId, eventId))
    .returning()
  return row
}

/** Queues the events again that were given up. @returns their number. */
export const replayFailed = async (db: Db, webhookId: string, since: string): Promise<number> => {
  const rows = await db
    .update(eventDeliveries)
    .set(AGAIN)
    .where(
      and(
        eq(eventDeliveries.webhookId, webhookId),
        eq(eventDeliveries.state, 'failed'),
        sql`${eventDeliveries.createdAt} >= ${since}`,
      ),
    )
    .returning({ id: eventDeliveries.eventId })
  return rows.length
}

export interface NextDelivery {
  webhook: EventWebhookRow
  delivery: EventDeliveryRow
  /** Until it is due; 0 if it is. */
  afterSeconds: number
}

/** The next two events of a webhook that is enabled, in the order in which they are due. */
export const listNext = (db: Db, webhookId: string): Promise<NextDelivery[]> => {
  const untilDue = sql<number>`greatest(extract(epoch from ${eventDeliveries.dueAt} - now()), 0)::float8`
  return db
    .select({ webhook: eventWebhooks, delivery: eventDeliveries, afterSeconds: untilDue })
    .from(eventDeliveries)
    .innerJoin(eventWebhooks, eq(eventWebhooks.webhookId, eventDeliveries.webhookId))
    .where(
      and(
        eq(eventDeliveries.webhookId, webhookId),
        eq(eventDeliveries.state, 'waiting'),
        eq(eventWebhooks.isEnabled, true),
      ),
    )
    .orderBy(asc(eventDeliveries.dueAt), asc(eventDeliveries.eventId))
    .limit(2)
}

/** Stores an attempt, unless the event was replayed or deleted meanwhile. @returns whether it did. */
export const recordAttempt = async (
  db: Db,
  { webhookId, eventId, attempts }: EventDeliveryRow,
  values: Partial<typeof eventDeliveries.$inferInsert> & { retrySeconds?: number | undefined },
): Promise<boolean> => {
  const { retrySeconds, ...columns } = values
  const rows = await db
    .update(eventDeliveries)
    .set({
      ...columns,
      attempts: attempts + 1,
      dueAt:
        retrySeconds === undefined ? null : sql`now() + make_interval(secs => ${retrySeconds})`,
    })
    .where(
      and(
        isDelivery(webhookId, eventId),
        eq(eventDeliveries.state, 'waiting'),
        eq(eventDeliveries.attempts, attempts),
      ),
    )
    .returning({ id: eventDeliveries.eventId })
  return rows.length > 0
}

/** Disables a webhook that has accepted nothing since the event that is given up (Standard Webhooks, section "Disabling"). */
export const disableDead = async (
  db: Db,
  { webhookId, createdAt }: EventDeliveryRow,
  reason: string,
): Promise<void> => {
  const accepted = db
    .select({ one: sql`1` })
    .from(eventDeliveries)
    .where(
      and(
        eq(eventDeliveries.webhookId, webhookId),
        eq(eventDeliveries.state, 'delivered'),
        gt(eventDeliveries.deliveredAt, createdAt),
      ),
    )
  await db
    .update(eventWebhooks)
    .set({ isEnabled: false, disabledReason: reason })
    .where(
      and(
        eq(eventWebhooks.webhookId, webhookId),
        eq(eventWebhooks.isEnabled, true),
        notExists(accepted),
      ),
    )
}

/** The enabled webhooks with events that wait. */
export const listWaitingWebhooks = (query: Query): Promise<WebhookRef[]> =>
  query<WebhookRef>(
    `select w.webhook_id::text as "webhookId", w.org_id::text as "orgId" from event_webhooks w
     where w.is_enabled and exists (
       select 1 from event_deliveries d where d.webhook_id = w.webhook_id and d.state = 'waiting')`,
    [],
  )

const DELETED_AT_ONCE = 10_000

/** Deletes the events before a number of days, in batches. */
export const deleteDeliveriesBefore = async (query: Query, days: number): Promise<void> => {
  for (;;) {
    const deleted = await query(
      `delete from event_deliveries where (webhook_id, event_id) in (
         select webhook_id, event_id from event_deliveries
         where created_at < now() - make_interval(days => $1) limit $2)
       returning 1`,
      [days, DELETED_AT_ONCE],
    )
    if (deleted.length < DELETED_AT_ONCE) return
  }
}
