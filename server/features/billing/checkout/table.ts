import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../../account/users/table.ts'
import { instant } from '../../../platform/db/columns.ts'

/** Checkout sessions opened by this server. A row outlives the account of its user. */
export const checkouts = pgTable(
  'checkouts',
  {
    /** Stripe's id of the session. */
    checkoutId: text('checkout_id').primaryKey(),
    /** Null once the account is deleted. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('checkouts_user_id').on(table.userId),
    index('checkouts_created_at').on(table.createdAt),
  ],
)
