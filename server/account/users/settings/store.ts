import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Preferences } from '../../../../shared/contract/preferences.ts'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../table.ts'

/** Those of the contract, and one that has an endpoint of its own. */
interface StoredPreferences extends Preferences {
  keep_questions: 'on' | 'off'
}

/** Without the defaults. */
export const findPreferences = async (
  db: Db,
  userId: string,
): Promise<Partial<StoredPreferences>> => {
  const [row] = await db
    .select({ preferences: users.preferences })
    .from(users)
    .where(eq(users.id, userId))
  return row?.preferences ?? {}
}

/** Sets one key in a single statement, so that parallel changes to other keys are kept. */
export const savePreference = async (
  db: Db,
  userId: string,
  key: string,
  value: string,
): Promise<void> => {
  await db
    .update(users)
    .set({
      preferences: sql`${users.preferences} || jsonb_build_object(${key}::text, ${value}::text)`,
    })
    .where(eq(users.id, userId))
}

export const findInstructions = async (db: Db, userId: string): Promise<string> => {
  const [row] = await db
    .select({ instructions: users.customInstructions })
    .from(users)
    .where(eq(users.id, userId))
  return row?.instructions ?? ''
}

export const saveInstructions = async (
  db: Db,
  userId: string,
  instructions: string,
): Promise<void> => {
  await db.update(users).set({ customInstructions: instructions }).where(eq(users.id, userId))
}

/** Writes only a changed value. */
export const saveTimezone = async (db: Db, userId: string, timezone: string): Promise<void> => {
  await db
    .update(users)
    .set({ timezone })
    .where(and(eq(users.id, userId), ne(users.timezone, timezone)))
}

/** A user who wrote a memory: what the dates and names in it mean. */
export interface Writer {
  timezone: string
  displayName: string | null
}

/** The time zones and names of users, by their ids. */
export const findWriters = async (db: Db, userIds: string[]): Promise<Map<string, Writer>> => {
  const rows = await db
    .select({ id: users.id, timezone: users.timezone, displayName: users.displayName })
    .from(users)
    .where(inArray(users.id, userIds))
  return new Map(rows.map(({ id, ...writer }) => [id, writer]))
}
