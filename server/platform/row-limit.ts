import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './db/database.ts'
import { serializeAdds } from './db/locks.ts'
import { defineErrors } from './http/error.ts'

/** The maximum number of rows of a table that a user may have. */
export interface RowLimit {
  table: PgTable & { userId: PgColumn }
  max: number
  /** The plural in the message, such as `agents`. */
  name: string
  /** The rows that count; all rows if left out. */
  counted?: SQL | undefined
}

export const rowLimitError = defineErrors({
  cap_reached: (max: number, name: string) => ({
    status: 409,
    detail: `There can be ${max} ${name} at most`,
  }),
})

/**
 * Checks that the transaction may add one more row. It serializes the transactions that add for the same
 * user, so that together they cannot exceed the limit.
 * @throws ApiError 409 when the user has reached the limit.
 */
export const checkRowLimit = async (
  tx: Db,
  userId: string,
  { table, max, name, counted }: RowLimit,
): Promise<void> => {
  await serializeAdds(tx, userId, name)
  const count = await tx.$count(table, and(eq(table.userId, userId), counted))
  if (count >= max) throw rowLimitError('cap_reached', max, name)
}
