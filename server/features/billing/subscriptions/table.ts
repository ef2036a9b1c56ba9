import { bigint, boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'

/** State of a subscription, from events that arrive in any order. Times are the provider's, in seconds. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    /** Null until an event names the user. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    tier: text(),
    /** From the newest event of the subscription itself; null before the first. */
    status: text(),
    statusAt: bigint('status_at', { mode: 'number' }).notNull().default(0),
    /** Orders events of the same second. */
    statusRank: bigint('status_rank', { mode: 'number' }).notNull().default(0),
    /** Last successful and last failed payment of an invoice or a checkout; 0: never. */
    paidAt: bigint('paid_at', { mode: 'number' }).notNull().default(0),
    failedAt: bigint('failed_at', { mode: 'number' }).notNull().default(0),
    periodEnd: bigint('period_end', { mode: 'number' }),
    cancelsAtPeriodEnd: boolean('cancels_at_period_end').notNull().default(false),
    /** The end is final: no later event revives it. */
    hasEnded: boolean('has_ended').notNull().default(false),
  },
  (table) => [index('subscriptions_user_id').on(table.userId)],
)

export type SubscriptionRow = typeof subscriptions.$inferSelect
