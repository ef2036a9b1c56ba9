import { sql } from 'drizzle-orm'
import {
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'
import { instant } from '../../../platform/db/columns.ts'

/** Ids of the subject of an intent, for the feature that opened it. */
export interface IntentData {
  reflex_id?: string
  firing_id?: string
  memory_id?: string
  fact_id?: string
  anchor_key?: string
  [more: string]: unknown
}

/** Items that wait for a user: confirmations, reminders, questions and conflicts. */
export const intents = pgTable(
  'intents',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    intentId: uuid('intent_id').notNull(),
    kind: text({ enum: ['confirmation', 'reminder', 'question', 'conflict'] }).notNull(),
    /** Identifies its origin, so that a retry does not open it again. */
    source: text().notNull(),
    title: text().notNull(),
    text: text().notNull().default(''),
    state: text({ enum: ['open', 'done', 'dismissed'] })
      .notNull()
      .default('open'),
    /** The decision, from the vocabulary of its kind; null while it is open. */
    outcome: text(),
    /** Hidden before. */
    dueAt: instant('due_at').notNull().defaultNow(),
    /** Snoozed until then. */
    hiddenUntil: instant('hidden_until'),
    /** Higher weights are listed first. */
    weight: doublePrecision().notNull().default(0),
    feedback: text({ enum: ['thumbs_up', 'thumbs_down'] }),
    data: jsonb().$type<IntentData>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
    decidedAt: instant('decided_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.intentId] }),
    unique('intents_source').on(table.userId, table.source),
    index('intents_open').on(table.userId, table.state, table.kind, table.dueAt),
    // Rows with a retention; the condition is that of `deleteOldIntents`.
    index('intents_passing')
      .on(table.createdAt)
      .where(sql`kind = 'confirmation' or source like 'reflex:%'`),
  ],
)

export type IntentRow = typeof intents.$inferSelect
export type IntentKind = IntentRow['kind']
