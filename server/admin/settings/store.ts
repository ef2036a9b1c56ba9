import { inArray } from 'drizzle-orm'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'

/** @returns the email addresses by id. */
export const listEmails = async (db: Db, ids: string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(rows.map(({ id, email }) => [id, email]))
}
