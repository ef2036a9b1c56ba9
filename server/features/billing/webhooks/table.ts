import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../../platform/db/columns.ts'

/** Events of the payment provider that were applied. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    eventId: text('event_id').primaryKey(),
    type: text().notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (table) => [index('payment_events_received_at').on(table.receivedAt)],
)
