import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '../../account/users/table.ts'
import { instant } from '../../platform/db/columns.ts'

/** Pages to pay on that were opened here. One outlives the account that it was opened for. */
export const checkouts = pgTable(
  'checkouts',
  {
    /** The provider's id of the page. */
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
