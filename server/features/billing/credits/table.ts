import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'
import { instant } from '../../../platform/db/columns.ts'

/** A dispute or a failed refund, stored by its id. */
export type Reversal =
  | { kind: 'dispute'; micros: number; status: string; at: number }
  | { kind: 'failed-refund'; micros: number; at: number }

/** Purchases of credits, with their refunds and disputes. */
export const creditPurchases = pgTable(
  'credit_purchases',
  {
    /** The provider's payment, or its checkout session if there is no payment. */
    paymentId: text('payment_id').primaryKey(),
    /** Null for a refund that arrives before its purchase, or of a payment from elsewhere. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    boughtMicros: bigint('bought_micros', { mode: 'number' }).notNull().default(0),
    /** The sum of all refunds. */
    refundedMicros: bigint('refunded_micros', { mode: 'number' }).notNull().default(0),
    /** Time of that sum, in the provider's seconds. */
    refundedAt: bigint('refunded_at', { mode: 'number' }).notNull().default(0),
    /** Disputes and failed refunds, by id. */
    reversals: jsonb().$type<Record<string, Reversal>>().notNull().default({}),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('credit_purchases_user_id').on(table.userId)],
)

export type PurchaseRow = typeof creditPurchases.$inferSelect
