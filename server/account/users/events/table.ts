import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { EventType } from '../../../../shared/events.ts'
import { DEFAULT_PURPOSE } from '../../../platform/cipher.ts'
import { instant } from '../../../platform/db/columns.ts'
import type { SealedColumn } from '../../../platform/sealed-columns/service.ts'

/** Receivers of events: those of the server, and of one organization. */
export const eventWebhooks = pgTable(
  'event_webhooks',
  {
    webhookId: uuid('webhook_id').primaryKey(),
    /** Null: all events of the server. */
    orgId: uuid('org_id'),
    url: text().notNull(),
    /** Null: all. */
    types: text().array().$type<EventType[]>(),
    description: text().notNull(),
    isEnabled: boolean('is_enabled').notNull().default(true),
    /** Why the server disabled it; null if a person did. */
    disabledReason: text('disabled_reason'),
    /** The encrypted secret that signs its requests. */
    sealedSecret: text('sealed_secret').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('event_webhooks_org').on(table.orgId)],
)

export type EventWebhookRow = typeof eventWebhooks.$inferSelect

/** For `resealColumns`. */
export const sealedEventSecrets: SealedColumn = {
  table: 'event_webhooks',
  column: 'sealed_secret',
  purpose: DEFAULT_PURPOSE,
  keys: 'uuid',
  owner: 'webhook_id',
  id: 'webhook_id',
}

/** An event for a webhook, with its attempts. */
export const eventDeliveries = pgTable(
  'event_deliveries',
  {
    webhookId: uuid('webhook_id').notNull(),
    /** UUIDv7: ascending by time. */
    eventId: uuid('event_id').notNull(),
    type: text().notNull(),
    payload: jsonb().$type<Record<string, unknown>>().notNull(),
    state: text().$type<'waiting' | 'delivered' | 'failed'>().notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    /** The HTTP status of the last response. */
    status: integer(),
    error: text(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** The next attempt; null unless it waits. */
    dueAt: instant('due_at'),
    deliveredAt: instant('delivered_at'),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.eventId] }),
    index('event_deliveries_due').on(table.webhookId, table.dueAt).where(sql`state = 'waiting'`),
    index('event_deliveries_created_at').using('brin', table.createdAt),
  ],
)

export type EventDeliveryRow = typeof eventDeliveries.$inferSelect

/** A webhook of the server (`orgId` is null) or of an organization. */
export interface WebhookRef {
  webhookId: string
  orgId: string | null
}
