import { and, asc, eq, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { users } from '../../../account/users/table.ts'
import type { Db } from '../../../platform/db/database.ts'
import { type ReflexRow, reflexes } from './table.ts'

const isReflex = (userId: string, reflexId: string) =>
  and(eq(reflexes.userId, userId), eq(reflexes.reflexId, reflexId))

/** Without parameters, so that a generic plan uses the index of active reflexes. */
const isActive = and(sql`${reflexes.isEnabled}`, not(reflexes.skipsAlways))

export const listReflexRows = (db: Db, userId: string): Promise<ReflexRow[]> =>
  db.select().from(reflexes).where(eq(reflexes.userId, userId)).orderBy(asc(reflexes.reflexId))

export const findReflex = async (
  db: Db,
  userId: string,
  reflexId: string,
): Promise<ReflexRow | undefined> => {
  const [row] = await db.select().from(reflexes).where(isReflex(userId, reflexId))
  return row
}

/** Locks a reflex until the end of the transaction. */
export const lockReflex = async (
  tx: Db,
  userId: string,
  reflexId: string,
): Promise<ReflexRow | undefined> => {
  const [row] = await tx
    .select()
    .from(reflexes)
    .where(isReflex(userId, reflexId))
    .for('no key update')
  return row
}

export const insertReflex = async (
  tx: Db,
  reflex: typeof reflexes.$inferInsert,
): Promise<ReflexRow> => {
  const [row] = await tx.insert(reflexes).values(reflex).returning()
  return row as ReflexRow
}

export const updateReflexRow = async (
  tx: Db,
  { userId, reflexId }: Pick<ReflexRow, 'userId' | 'reflexId'>,
  change: Partial<ReflexRow>,
): Promise<ReflexRow | undefined> => {
  const [row] = await tx.update(reflexes).set(change).where(isReflex(userId, reflexId)).returning()
  return row
}

export const deleteReflexRow = async (tx: Db, userId: string, reflexId: string): Promise<void> => {
  await tx.delete(reflexes).where(isReflex(userId, reflexId))
}

/** Active reflexes of a trigger type, in a stable order so that firings lock them alike. */
export const listActiveReflexes = (
  db: Db,
  userId: string,
  triggerType: string,
): Promise<ReflexRow[]> =>
  db
    .select()
    .from(reflexes)
    .where(and(eq(reflexes.userId, userId), eq(reflexes.triggerType, triggerType), isActive))
    .orderBy(asc(reflexes.reflexId))

/**
 * Counts a firing of the current hour, and locks the reflex until the end of the transaction.
 * @returns the number of firings within the hour.
 */
export const countFiring = async (
  tx: Db,
  { userId, reflexId }: Pick<ReflexRow, 'userId' | 'reflexId'>,
): Promise<number> => {
  const isWithin = sql`${reflexes.hourBegan} > now() - interval '1 hour'`
  const [row] = await tx
    .update(reflexes)
    .set({
      hourBegan: sql`case when ${isWithin} then ${reflexes.hourBegan} else now() end`,
      hourCount: sql`case when ${isWithin} then ${reflexes.hourCount} + 1 else 1 end`,
    })
    .where(isReflex(userId, reflexId))
    .returning({ hourCount: reflexes.hourCount })
  return row?.hourCount ?? 0
}

/** Reflexes due before a time, except those of disabled accounts. */
export const listDueReflexes = (
  db: Db,
  before: Date,
  limit: number,
): Promise<Pick<ReflexRow, 'userId' | 'reflexId' | 'nextAt'>[]> =>
  db
    .select({ userId: reflexes.userId, reflexId: reflexes.reflexId, nextAt: reflexes.nextAt })
    .from(reflexes)
    .innerJoin(users, and(eq(users.id, reflexes.userId), isNull(users.disabledAt)))
    .where(and(isNotNull(reflexes.nextAt), lte(reflexes.nextAt, before), isActive))
    .orderBy(asc(reflexes.nextAt))
    .limit(limit)

/** Deletes the reflexes of a user, and by cascade their firings. */
export const deleteReflexes = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(reflexes).where(eq(reflexes.userId, userId))
}
