import { bigint, date, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { METRICS } from '../../../shared/tiers.ts'
import { users } from '../../account/users/table.ts'

/** Usage of a user in a calendar month (UTC). */
export const usageCounts = pgTable(
  'usage_counts',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The month's first day. */
    period: date().notNull(),
    metric: text({ enum: METRICS }).notNull(),
    used: bigint({ mode: 'number' }).notNull(),
    /** Paid with credits, in micro-dollars. */
    paidMicros: bigint('paid_micros', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.userId, table.period, table.metric] })],
)
