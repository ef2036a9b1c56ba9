import { lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { paymentEvents } from './table.ts'

/**
 * Records an event that this transaction applies. A concurrent delivery of the same event waits for the
 * end of the transaction. @returns whether the event is new.
 */
export const recordEvent = async (tx: Db, eventId: string, type: string): Promise<boolean> => {
  const rows = await tx
    .insert(paymentEvents)
    .values({ eventId, type })
    .onConflictDoNothing()
    .returning({ eventId: paymentEvents.eventId })
  return rows.length > 0
}

export const deleteOldEvents = async (db: Db, days: number): Promise<void> => {
  await db
    .delete(paymentEvents)
    .where(lt(paymentEvents.receivedAt, sql`now() - make_interval(days => ${days}::int)`))
}
