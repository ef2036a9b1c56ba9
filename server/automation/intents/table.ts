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
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** What an intent is about, by ids that whoever opened it understands. */
export interface IntentData {
  reflex_id?: string
  firing_id?: string
  memory_id?: string
  fact_id?: string
  anchor_key?: string
  [more: string]: unknown
}

/** All that waits for a person: something to confirm, to be reminded of, to answer or to choose. */
export const intents = pgTable(
  'intents',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    intentId: uuid('intent_id').notNull(),
    kind: text({ enum: ['confirmation', 'reminder', 'question', 'conflict'] }).notNull(),
    /** Names what it comes from, so that the same thing asks once, whatever is tried again. */
    source: text().notNull(),
    title: text().notNull(),
    text: text().notNull().default(''),
    state: text({ enum: ['open', 'done', 'dismissed'] })
      .notNull()
      .default('open'),
    /** What was decided, in a word of its kind; null while it is open. */
    outcome: text(),
    /** Not shown before. */
    dueAt: instant('due_at').notNull().defaultNow(),
    /** Put off until then. */
    hiddenUntil: instant('hidden_until'),
    /** What is weightier is shown first; feedback moves it. */
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
    // What is kept for a time only; the condition is that of the statement which takes it away.
    index('intents_passing')
      .on(table.createdAt)
      .where(sql`kind = 'confirmation' or source like 'reflex:%'`),
  ],
)

export type IntentRow = typeof intents.$inferSelect
export type IntentKind = IntentRow['kind']
