import { sql } from 'drizzle-orm'
import type { Db } from './database.ts'

/**
 * Row locks that are shared go past whoever waits for the row alone, who then waits for as long as
 * others come. Advisory locks are given in the order in which they are asked for. So the row of an
 * account is locked after its turn is taken: by a share of it, or by the whole.
 *
 * The condition takes a share of the turn of `id`, a column, and always holds.
 */
export const sharesTurn = (id: string): string =>
  `pg_advisory_xact_lock_shared(hashtextextended(${id}::text, 0)) is not null`

/** Takes the turn of an id for oneself until the transaction ends. */
export const takeTurn = async (tx: Db, id: string): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}::text, 0))`)
}
