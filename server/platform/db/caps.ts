import type { SQL } from 'drizzle-orm'
import { defineErrors } from '../http/error.ts'
import { serializeAdds } from './advisory-locks.ts'
import { countOwned, type OwnedTable } from './caps-store.ts'
import type { Db } from './database.ts'

/** The most rows of a table that a user may have. */
export interface Cap {
  table: OwnedTable
  most: number
  /** The plural in the message, such as `agents`. */
  name: string
  /** The rows that count; all rows if left out. */
  counted?: SQL | undefined
}

const capError = defineErrors({
  cap_reached: (most: number, name: string) => ({
    status: 409,
    detail: `There can be ${most} ${name} at most`,
  }),
})

/**
 * Checks that the transaction may add one more row. It serializes the transactions that add for the same
 * user, so that together they cannot exceed the cap.
 * @throws ApiError 409 when the user has reached the cap.
 */
export const checkRoom = async (
  tx: Db,
  userId: string,
  { table, most, name, counted }: Cap,
): Promise<void> => {
  await serializeAdds(tx, userId, name)
  if ((await countOwned(tx, userId, table, counted)) >= most)
    throw capError('cap_reached', most, name)
}
