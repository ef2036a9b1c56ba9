import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'
import type { Reversal } from './state.ts'

/** Credits that were bought, each once, and what of the payment went back. */
export const creditPurchases = pgTable(
  'credit_purchases',
  {
    /** The provider's payment, or the checkout where there is no payment. */
    paymentId: text('payment_id').primaryKey(),
    /** Null for a payment back of what was not bought here, or not yet. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    boughtMicros: bigint('bought_micros', { mode: 'number' }).notNull().default(0),
    paidBackMicros: bigint('paid_back_micros', { mode: 'number' }).notNull().default(0),
    /** When that was the sum, in the provider's seconds. */
    paidBackAt: bigint('paid_back_at', { mode: 'number' }).notNull().default(0),
    /** Disputes, and refunds that failed, by their ids. */
    reversals: jsonb().$type<Record<string, Reversal>>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('credit_purchases_user_id').on(table.userId)],
)

export type PurchaseRow = typeof creditPurchases.$inferSelect
