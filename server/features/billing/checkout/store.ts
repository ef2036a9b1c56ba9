import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { checkouts } from './table.ts'

export const insertCheckout = async (db: Db, checkoutId: string, userId: string): Promise<void> => {
  await db.insert(checkouts).values({ checkoutId, userId })
}

/** The sessions of a user that were opened in the last `hours`. */
export const listCheckouts = async (db: Db, userId: string, hours: number): Promise<string[]> => {
  const since = sql`${checkouts.createdAt} > now() - make_interval(hours => ${hours}::int)`
  const rows = await db
    .select({ checkoutId: checkouts.checkoutId })
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), since))
  return rows.map(({ checkoutId }) => checkoutId)
}

export const hasCheckout = async (db: Db, checkoutId: string): Promise<boolean> => {
  const rows = await db
    .select({ checkoutId: checkouts.checkoutId })
    .from(checkouts)
    .where(eq(checkouts.checkoutId, checkoutId))
  return rows.length > 0
}

export const deleteOldCheckouts = async (db: Db, days: number): Promise<void> => {
  await db
    .delete(checkouts)
    .where(lt(checkouts.createdAt, sql`now() - make_interval(days => ${days}::int)`))
}
