import { eq } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { users } from '../table.ts'

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
