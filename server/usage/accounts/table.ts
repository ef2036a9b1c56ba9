import { bigint, boolean, date, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { TIER_NAMES } from '../../../shared/tiers.ts'
import { users } from '../../account/users/table.ts'

/** Credits of a user and what decides their tier. Most users have no row. */
export const billingAccounts = pgTable('billing_accounts', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The payment provider's id of the user. */
  customerId: text('customer_id'),
  /** Granted by an admin; overrides every other tier. */
  grantedTier: text('granted_tier', { enum: TIER_NAMES }),
  /** Whether payg applies while no subscription is live. */
  paysAsTheyGo: boolean('pays_as_they_go').notNull().default(false),
  /** Credits in micro-dollars. Spending never makes it negative; a refund may. */
  balanceMicros: bigint('balance_micros', { mode: 'number' }).notNull().default(0),
  /** The most to spend in a month; null: no limit. */
  capMicros: bigint('cap_micros', { mode: 'number' }),
  /** Spent in the month that begins at `spentPeriod`. */
  spentMicros: bigint('spent_micros', { mode: 'number' }).notNull().default(0),
  spentPeriod: date('spent_period'),
})

export type BillingAccountRow = typeof billingAccounts.$inferSelect
