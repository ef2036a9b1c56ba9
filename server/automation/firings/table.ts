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
import type { TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import { instant } from '../../platform/db/columns.ts'
import { reflexes } from '../reflexes/table.ts'

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
    foreignKey({
      name: 'reflex_firings_reflex_fk',
      columns: [table.userId, table.reflexId],
      foreignColumns: [reflexes.userId, reflexes.reflexId],
    }).onDelete('cascade'),
  ],
)

export type FiringRow = typeof reflexFirings.$inferSelect
