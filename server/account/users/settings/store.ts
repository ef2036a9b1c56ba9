import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Preferences } from '../../../../shared/contract/preferences.ts'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../table.ts'

/** Without the defaults. */
export const findPreferences = async (db: Db, userId: string): Promise<Partial<Preferences>> => {
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

/** @returns the time zones by user id. */
export const findTimezones = async (db: Db, userIds: string[]): Promise<Map<string, string>> => {
  const rows = await db
    .select({ id: users.id, timezone: users.timezone })
    .from(users)
    .where(inArray(users.id, userIds))
  return new Map(rows.map(({ id, timezone }) => [id, timezone]))
}
