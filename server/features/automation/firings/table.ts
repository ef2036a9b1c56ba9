import { sql } from 'drizzle-orm'
import {
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Action } from '../../../../shared/contract/reflex-actions.ts'
import type { Condition } from '../../../../shared/contract/reflex-conditions.ts'
import type { Trigger, TriggerEvent } from '../../../../shared/contract/reflex-triggers.ts'
import { users } from '../../../account/users/table.ts'
import { DEFAULT_PURPOSE } from '../../../platform/cipher.ts'
import { instant } from '../../../platform/db/columns.ts'
import type { SealedColumn } from '../../../platform/sealed-columns/service.ts'

/** A reflex runs an action when a trigger and its conditions match an event. */
export const reflexes = pgTable(
  'reflexes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    reflexId: uuid('reflex_id').notNull(),
    name: text().notNull(),
    /** `trigger.type`, for the index. */
    triggerType: text('trigger_type').notNull(),
    trigger: jsonb().$type<Trigger>().notNull(),
    conditions: jsonb().$type<Condition[]>().notNull(),
    action: jsonb().$type<Action>().notNull(),
    doesConfirm: boolean('does_confirm').notNull(),
    isEnabled: boolean('is_enabled').notNull(),
    /** Why the server disabled it; null if the owner did. */
    disabledReason: text('disabled_reason'),
    /** The owner decided to skip every firing. */
    skipsAlways: boolean('skips_always').notNull().default(false),
    /** The encrypted secret that signs its webhook requests. */
    sealedSecret: text('sealed_secret'),
    /** The next scheduled time. */
    nextAt: instant('next_at'),
    /** The chat session of the channel `chat`. */
    chatSessionId: uuid('chat_session_id'),
    /** Start of the hour that `hourCount` counts the firings of. */
    hourBegan: instant('hour_began'),
    hourCount: integer('hour_count').notNull().default(0),
    lastFiredAt: instant('last_fired_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.reflexId] }),
    index('reflexes_active')
      .on(table.userId, table.triggerType)
      .where(sql`is_enabled and not skips_always`),
    index('reflexes_next').on(table.nextAt).where(sql`next_at is not null`),
  ],
)

export type ReflexRow = typeof reflexes.$inferSelect

/** For `resealColumns`. */
export const sealedWebhookSecrets: SealedColumn = {
  table: 'reflexes',
  column: 'sealed_secret',
  purpose: DEFAULT_PURPOSE,
  keys: 'uuid',
  owner: 'user_id',
  id: 'reflex_id',
}

/** Runs of reflexes: one for each event and reflex, including its retries. */
export const reflexFirings = pgTable(
  'reflex_firings',
  {
    userId: uuid('user_id').notNull(),
    firingId: uuid('firing_id').notNull(),
    reflexId: uuid('reflex_id').notNull(),
    /** Identifies the event. */
    eventKey: text('event_key').notNull(),
    event: jsonb().$type<TriggerEvent>().notNull(),
    state: text({ enum: ['pending', 'waiting', 'done', 'failed', 'skipped', 'limited'] }).notNull(),
    /** The owner confirmed the action. */
    isConfirmed: boolean('is_confirmed').notNull().default(false),
    /** A disabled handler, or `account` for a disabled account; the firing waits for it. */
    blockedBy: text('blocked_by'),
    /** A message for the owner. */
    error: text(),
    attempts: integer().notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.firingId] }),
    unique('reflex_firings_event').on(table.userId, table.reflexId, table.eventKey),
    index('reflex_firings_list').on(table.userId, table.reflexId, table.firingId),
    index('reflex_firings_open').on(table.updatedAt).where(sql`state in ('pending', 'waiting')`),
    index('reflex_firings_created').on(table.createdAt),
    // For the deletion of a user who wrote to others.
    index('reflex_firings_author').on(sql`(event->>'author_id')`).where(sql`event ? 'author_id'`),
    foreignKey({
      name: 'reflex_firings_reflex_fk',
      columns: [table.userId, table.reflexId],
      foreignColumns: [reflexes.userId, reflexes.reflexId],
    }).onDelete('cascade'),
  ],
)

export type FiringRow = typeof reflexFirings.$inferSelect
