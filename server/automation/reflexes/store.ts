import { and, asc, eq, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'
import { type ReflexRow, reflexes } from './table.ts'

const isReflex = (userId: string, reflexId: string) =>
  and(eq(reflexes.userId, userId), eq(reflexes.reflexId, reflexId))

const isActive = and(eq(reflexes.isEnabled, true), not(reflexes.skipsAlways))

export const listReflexes = (db: Db, userId: string): Promise<ReflexRow[]> =>
  db.select().from(reflexes).where(eq(reflexes.userId, userId)).orderBy(asc(reflexes.reflexId))

export const findReflex = async (
  db: Db,
  userId: string,
  reflexId: string,
): Promise<ReflexRow | undefined> => {
  const [row] = await db.select().from(reflexes).where(isReflex(userId, reflexId))
  return row
}

/** Holds a reflex until the end of the transaction. @returns undefined when it is not there. */
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

export const changeReflex = async (
  tx: Db,
  { userId, reflexId }: Pick<ReflexRow, 'userId' | 'reflexId'>,
  change: Partial<ReflexRow>,
): Promise<ReflexRow | undefined> => {
  const [row] = await tx.update(reflexes).set(change).where(isReflex(userId, reflexId)).returning()
  return row
}

export const deleteReflex = async (tx: Db, userId: string, reflexId: string): Promise<void> => {
  await tx.delete(reflexes).where(isReflex(userId, reflexId))
}

/** Those that a kind of event may trigger, in an order that is always the same. */
export const listActive = (db: Db, userId: string, triggerType: string): Promise<ReflexRow[]> =>
  db
    .select()
    .from(reflexes)
    .where(and(eq(reflexes.userId, userId), eq(reflexes.triggerType, triggerType), isActive))
    .orderBy(asc(reflexes.reflexId))

/**
 * Counts a firing into the hour, and holds the reflex until the end of the transaction.
 * @returns how many there are within it.
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

/** Reflexes whose time comes before another; not of those whom an admin keeps out. */
export const listDue = (
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
