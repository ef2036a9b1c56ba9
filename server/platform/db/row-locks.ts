import { and, eq, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { sharedLockCondition } from './advisory-locks.ts'
import type { Db } from './database.ts'

/**
 * Locks the row of a user or an organization until the end of the transaction, after the shared advisory
 * lock.
 * @returns undefined when the row does not exist.
 */
export const lockRow = async <T extends PgTable & { id: PgColumn }>(
  tx: Db,
  table: T,
  id: string,
  strength: 'key share' | 'no key update',
): Promise<T['$inferSelect'] | undefined> => {
  const [row] = await tx
    .select()
    .from(table as PgTable)
    .where(and(eq(table.id, id), sql.raw(sharedLockCondition('id'))))
    .for(strength)
  return row
}
