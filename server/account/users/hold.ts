import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { sharesTurn } from '../../platform/db/turns.ts'
import { type UserRow, users } from './table.ts'

const isHeld = (id: string): SQL | undefined => and(eq(users.id, id), sql.raw(sharesTurn('id')))

/**
 * Reads a user who is not deleted before the end of the transaction; whoever deletes them waits, or is
 * waited for. It comes before anything else of theirs is locked. @returns undefined when they are gone.
 */
export const holdUser = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await tx.select().from(users).where(isHeld(id)).for('key share')
  return row
}

/** Holds a user as `holdUser` does, and makes others who do this wait until the end of the transaction. */
export const holdUserAlone = async (tx: Db, id: string): Promise<UserRow | undefined> => {
  const [row] = await tx.select().from(users).where(isHeld(id)).for('no key update')
  return row
}
