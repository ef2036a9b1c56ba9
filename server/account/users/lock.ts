import type { Db } from '../../platform/db/database.ts'
import { lockRow } from '../../platform/db/locks.ts'
import { type UserRow, users } from './table.ts'

/**
 * Keeps a user from being deleted until the end of the transaction. This lock comes before any other
 * lock on rows of the user.
 * @returns undefined when the user is deleted.
 */
export const lockUserShared = (tx: Db, id: string): Promise<UserRow | undefined> =>
  lockRow(tx, users, id, 'key share')

/** Like `lockUserShared`, and serializes the transactions that take this lock. */
export const lockUserExclusive = (tx: Db, id: string): Promise<UserRow | undefined> =>
  lockRow(tx, users, id, 'no key update')
