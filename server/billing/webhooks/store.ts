import { lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { paymentEvents } from './table.ts'

/**
 * Notes that an event has its effect in this transaction. Who brings the same one at the same time waits
 * for the end of it. @returns whether it had none before.
 */
export const noteEvent = async (tx: Db, eventId: string, type: string): Promise<boolean> => {
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
