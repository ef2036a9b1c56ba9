import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { ApiError } from '../http/error.ts'
import type { Db } from './database.ts'

/** How many things of a kind somebody may have. */
export interface Cap {
  table: PgTable & { userId: PgColumn }
  most: number
  /** What they are called, as one says to somebody how many there can be. */
  name: string
  /** Which of them count; all unless given. */
  counted?: SQL | undefined
}

/** Makes those who add a thing of a kind for a person wait for each other until the end of the transaction. */
export const addOneByOne = async (tx: Db, userId: string, name: string): Promise<void> => {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${name} ${userId}`}, 0))`)
}

/**
 * Sees to it that there is room for one more, which the transaction then adds: of those who add at once
 * no more get through than there is room for.
 * @throws ApiError 409 where somebody has as many as there can be.
 */
export const checkRoom = async (
  tx: Db,
  userId: string,
  { table, most, name, counted }: Cap,
): Promise<void> => {
  await addOneByOne(tx, userId, name)
  const total = await tx.$count(table, and(eq(table.userId, userId), counted))
  if (total >= most) throw new ApiError(409, `There can be ${most} ${name} at most`)
}
