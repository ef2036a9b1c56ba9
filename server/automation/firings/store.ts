import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { type FiringRow, reflexFirings } from './table.ts'

const isFiring = (userId: string, firingId: string) =>
  and(eq(reflexFirings.userId, userId), eq(reflexFirings.firingId, firingId))

/** @returns whether it is new: of one event a reflex fires once. */
export const insertFiring = async (
  tx: Db,
  firing: typeof reflexFirings.$inferInsert,
): Promise<boolean> => {
  const rows = await tx
    .insert(reflexFirings)
    .values(firing)
    .onConflictDoNothing()
    .returning({ firingId: reflexFirings.firingId })
  return rows.length > 0
}

export const findFiring = async (
  db: Db,
  userId: string,
  firingId: string,
): Promise<FiringRow | undefined> => {
  const [row] = await db.select().from(reflexFirings).where(isFiring(userId, firingId))
  return row
}

/** Those of some ids, in no order. */
export const findFirings = async (
  db: Db,
  userId: string,
  firingIds: string[],
): Promise<FiringRow[]> =>
  firingIds.length
    ? db
        .select()
        .from(reflexFirings)
        .where(and(eq(reflexFirings.userId, userId), inArray(reflexFirings.firingId, firingIds)))
    : []

/** Holds a firing until the end of the transaction; its reflex has to be held before. */
export const lockFiring = async (
  tx: Db,
  userId: string,
  firingId: string,
): Promise<FiringRow | undefined> => {
  const [row] = await tx
    .select()
    .from(reflexFirings)
    .where(isFiring(userId, firingId))
    .for('no key update')
  return row
}

export const changeFiring = async (
  tx: Db,
  { userId, firingId }: Pick<FiringRow, 'userId' | 'firingId'>,
  change: Partial<FiringRow>,
): Promise<void> => {
  await tx
    .update(reflexFirings)
    .set({ ...change, updatedAt: sql`now()` })
    .where(isFiring(userId, firingId))
}

/** Changes a firing that waits for the person. @returns whether it did. */
export const changeWaiting = async (
  tx: Db,
  userId: string,
  firingId: string,
  change: Partial<FiringRow>,
): Promise<boolean> => {
  const rows = await tx
    .update(reflexFirings)
    .set({ ...change, updatedAt: sql`now()` })
    .where(and(isFiring(userId, firingId), eq(reflexFirings.state, 'waiting')))
    .returning({ firingId: reflexFirings.firingId })
  return rows.length > 0
}

export const deleteFiring = async (tx: Db, userId: string, firingId: string): Promise<void> => {
  await tx.delete(reflexFirings).where(isFiring(userId, firingId))
}

/** A page of a reflex's firings, newest first. */
export const listFirings = (
  db: Db,
  userId: string,
  reflexId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<FiringRow[]> =>
  db
    .select()
    .from(reflexFirings)
    .where(
      and(
        eq(reflexFirings.userId, userId),
        eq(reflexFirings.reflexId, reflexId),
        before ? lt(reflexFirings.firingId, before) : undefined,
      ),
    )
    .orderBy(desc(reflexFirings.firingId))
    .limit(limit)

/** The firings of a reflex that wait for the person, in an order that is always the same. */
export const listWaiting = async (tx: Db, userId: string, reflexId: string): Promise<string[]> => {
  const rows = await tx
    .select({ firingId: reflexFirings.firingId })
    .from(reflexFirings)
    .where(
      and(
        eq(reflexFirings.userId, userId),
        eq(reflexFirings.reflexId, reflexId),
        eq(reflexFirings.state, 'waiting'),
      ),
    )
    .orderBy(reflexFirings.firingId)
  return rows.map(({ firingId }) => firingId)
}

/**
 * Firings to be done whose job is over: what kept them is known, or they were forgotten. Not of those
 * whom an admin keeps out.
 */
export const listResting = async (
  query: Query,
  off: string[],
  limit: number,
): Promise<Pick<FiringRow, 'userId' | 'firingId'>[]> => {
  const rows = await query<{ user_id: string; firing_id: string }>(
    `select f.user_id, f.firing_id
    from reflex_firings f join users u on u.id = f.user_id and u.disabled_at is null
    where f.state = 'pending' and case
      when f.held_by is null then f.updated_at < now() - interval '1 hour'
      else not $1::jsonb ? f.held_by end
    order by f.updated_at limit $2`,
    [JSON.stringify(off), limit],
  )
  return rows.map(({ user_id, firing_id }) => ({ userId: user_id, firingId: firing_id }))
}

/** Those that have waited for the person since before a time. */
export const listUndecided = (
  db: Db,
  before: Date,
  limit: number,
): Promise<{ userId: string; firingId: string }[]> =>
  db
    .select({ userId: reflexFirings.userId, firingId: reflexFirings.firingId })
    .from(reflexFirings)
    .where(and(eq(reflexFirings.state, 'waiting'), lt(reflexFirings.updatedAt, before)))
    .limit(limit)

/** Takes away what is over, of before a time. */
export const pruneFirings = async (db: Db, before: Date): Promise<void> => {
  await db
    .delete(reflexFirings)
    .where(
      and(
        lt(reflexFirings.createdAt, before),
        inArray(reflexFirings.state, ['done', 'failed', 'skipped', 'limited']),
      ),
    )
}
