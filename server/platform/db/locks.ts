import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './database.ts'

/**
 * A condition that takes a shared advisory lock on the column `id` and is always true.
 *
 * PostgreSQL grants shared row locks even while another transaction waits for the exclusive lock, which
 * can then wait forever. It grants advisory locks in the order of requests. So a transaction takes the
 * advisory lock of a user or an organization before a shared row lock or the lock for deletion.
 */
export const sharedLockCondition = (id: string): string =>
  `pg_advisory_xact_lock_shared(hashtextextended(${id}::text, 0)) is not null`

/** The same without waiting: false while another transaction holds the lock exclusively. */
export const freeLockCondition = (id: string): string =>
  `pg_try_advisory_xact_lock_shared(hashtextextended(${id}::text, 0))`

/** Locks a user or an organization exclusively until the transaction ends. */
export const lockExclusive = (tx: Db, lockClass: 'users' | 'orgs', id: string): Promise<void> =>
  lock(tx, lockClass, sql`${id}::text`)

/** Serializes the transactions that take the lock of this class. */
export const lockClassExclusive = (tx: Db, lockClass: string): Promise<void> =>
  lock(tx, lockClass, sql`${lockClass}::text`)

/** A condition that takes the lock of `lockClassExclusive`, for a statement by itself, and is always true. */
export const classLockCondition = (lockClass: string): string =>
  `pg_advisory_xact_lock(hashtextextended('${lockClass}', 0)) is not null /* locks ${lockClass} */`

/** Serializes the transactions that add a row of this kind for a user. */
export const serializeAdds = (tx: Db, userId: string, kind: string): Promise<void> =>
  lock(tx, 'caps', sql`${`${kind} ${userId}`}::text`)

/** Serializes the changes that the identity provider of an organization makes. */
export const lockProvisioning = (tx: Db, orgId: string): Promise<void> =>
  lock(tx, 'provisioning', sql`${`provisioning ${orgId}`}::text`)

/** `lock-order.ts` reads the SQL comment. */
const lock = async (tx: Db, lockClass: string, key: SQL): Promise<void> => {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0)) ${sql.raw(`/* locks ${lockClass} */`)}`,
  )
}

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
