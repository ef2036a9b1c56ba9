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
import type { TriggerEvent } from '../../../shared/schemas/reflexes.ts'
import { instant } from '../../platform/db/columns.ts'
import { reflexes } from '../reflexes/table.ts'

/** Each time that a reflex fires: once for each event, whatever is tried again. */
export const reflexFirings = pgTable(
  'reflex_firings',
  {
    userId: uuid('user_id').notNull(),
    firingId: uuid('firing_id').notNull(),
    reflexId: uuid('reflex_id').notNull(),
    /** Names the event. */
    eventKey: text('event_key').notNull(),
    event: jsonb().$type<TriggerEvent>().notNull(),
    state: text({ enum: ['pending', 'waiting', 'done', 'failed', 'skipped', 'limited'] }).notNull(),
    /** The person said that it is to be done. */
    isConfirmed: boolean('is_confirmed').notNull().default(false),
    /** What keeps it from being done for now: a handler that is switched off, or the account. */
    heldBy: text('held_by'),
    /** For the person to read. */
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
