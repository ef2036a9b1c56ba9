import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** The messages of persons in requests to models, and the memories that follow them. */
export const proxyTurns = pgTable(
  'proxy_turns',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A hash of the program and its conversation, or of the program alone where it names none. */
    scope: text().notNull(),
    /** A hash of the person's messages of the conversation up to this one. */
    place: text().notNull(),
    session: text().notNull(),
    /** The id of the turn in its session. */
    turn: text().notNull(),
    /** The number of the message in its session, from 1. */
    ordinal: integer().notNull(),
    /** The memories after the message; empty where there are none. */
    text: text().notNull(),
    isAnswered: boolean('is_answered').notNull().default(false),
    usedAt: instant('used_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.scope, table.place] }),
    index('proxy_turns_used_at').on(table.usedAt),
  ],
)

export type ProxyTurnRow = typeof proxyTurns.$inferSelect
