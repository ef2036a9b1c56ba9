import { eq, sql } from 'drizzle-orm'
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
