import { bigint, boolean, date, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { TIER_NAMES } from '../../../shared/schemas/billing.ts'
import { users } from '../../account/users/table.ts'

/** A person's money and what decides their tier; there is none for most. */
export const billingAccounts = pgTable('billing_accounts', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** Whom the payment provider knows them as. */
  customerId: text('customer_id'),
  /** The tier an admin gave; it goes before any other. */
  givenTier: text('given_tier', { enum: TIER_NAMES }),
  /** Whether they pay as they go while no subscription is live. */
  paysAsTheyGo: boolean('pays_as_they_go').notNull().default(false),
  /** Credits in micro-dollars. Spending never takes it below zero; a refund may. */
  balanceMicros: bigint('balance_micros', { mode: 'number' }).notNull().default(0),
  /** The most that may be spent in a month; null for no limit. */
  capMicros: bigint('cap_micros', { mode: 'number' }),
  /** What was spent in the month that `spentPeriod` begins. */
  spentMicros: bigint('spent_micros', { mode: 'number' }).notNull().default(0),
  spentPeriod: date('spent_period'),
})

export type BillingAccountRow = typeof billingAccounts.$inferSelect
