import { bigint, boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'

/** What is known of a subscription, from events that came in any order. Times are the provider's, in seconds. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    /** Null while no event has said whose it is. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    tier: text(),
    /** As the newest event of the subscription itself says; null before there was one. */
    status: text(),
    statusAt: bigint('status_at', { mode: 'number' }).notNull().default(0),
    /** Which of two events of the same second comes later. */
    statusRank: bigint('status_rank', { mode: 'number' }).notNull().default(0),
    /** The last time that an invoice or a checkout was paid, or failed to be; 0 for never. */
    paidAt: bigint('paid_at', { mode: 'number' }).notNull().default(0),
    failedAt: bigint('failed_at', { mode: 'number' }).notNull().default(0),
    periodEnd: bigint('period_end', { mode: 'number' }),
    cancelsAtPeriodEnd: boolean('cancels_at_period_end').notNull().default(false),
    /** It ended for good: nothing revives it. */
    hasEnded: boolean('has_ended').notNull().default(false),
  },
  (table) => [index('subscriptions_user_id').on(table.userId)],
)

export type SubscriptionRow = typeof subscriptions.$inferSelect
