import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../../platform/db/columns.ts'

/** The events of the payment provider that had their effect. */
export const paymentEvents = pgTable(
  'payment_events',
  {
    eventId: text('event_id').primaryKey(),
    type: text().notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (table) => [index('payment_events_received_at').on(table.receivedAt)],
)
