import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../table.ts'

/** Writes only a changed value. */
export const saveTimezone = async (db: Db, userId: string, timezone: string): Promise<void> => {
  await db
    .update(users)
    .set({ timezone })
    .where(and(eq(users.id, userId), ne(users.timezone, timezone)))
}

/** @returns the time zones by user id. */
export const findTimezones = async (db: Db, userIds: string[]): Promise<Map<string, string>> => {
  const rows = await db
    .select({ id: users.id, timezone: users.timezone })
    .from(users)
    .where(inArray(users.id, userIds))
  return new Map(rows.map(({ id, timezone }) => [id, timezone]))
}
