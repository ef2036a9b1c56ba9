import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Db, Query } from '../../../platform/db/database.ts'
import { type FiringRow, reflexFirings } from './table.ts'

const isFiring = (userId: string, firingId: string) =>
  and(eq(reflexFirings.userId, userId), eq(reflexFirings.firingId, firingId))

/** @returns false if the event fired the reflex before. */
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

/** Locks a firing until the end of the transaction. Lock its reflex before. */
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

export const updateFiring = async (
  tx: Db,
  { userId, firingId }: Pick<FiringRow, 'userId' | 'firingId'>,
  change: Partial<FiringRow>,
): Promise<void> => {
  await tx
    .update(reflexFirings)
    .set({ ...change, updatedAt: sql`now()` })
    .where(isFiring(userId, firingId))
}

/** Updates a firing that waits for confirmation. @returns whether it did. */
export const updateUnconfirmed = async (
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

/**
 * Deletes the firings that messages of a user caused for others. @returns those firings.
 */
export const deleteFiringsBy = (
  tx: Db,
  authorId: string,
): Promise<Pick<FiringRow, 'userId' | 'firingId'>[]> =>
  tx
    .delete(reflexFirings)
    // The first condition is that of the index.
    .where(
      sql`${reflexFirings.event} ? 'author_id' and ${reflexFirings.event}->>'author_id' = ${authorId}`,
    )
    .returning({ userId: reflexFirings.userId, firingId: reflexFirings.firingId })

/** A page of a reflex's firings, newest first. */
export const listFiringRows = (
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

/** Ids of a reflex's firings that wait for confirmation, in a stable order. */
export const listUnconfirmed = async (
  tx: Db,
  userId: string,
  reflexId: string,
): Promise<string[]> => {
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
 * Pending firings without a job that can run now: nothing blocks them any more, or they have not changed
 * for an hour. Excludes those of disabled accounts.
 */
export const listResumable = async (
  query: Query,
  disabledHandlers: string[],
  limit: number,
): Promise<Pick<FiringRow, 'userId' | 'firingId'>[]> => {
  const rows = await query<{ user_id: string; firing_id: string }>(
    `select f.user_id, f.firing_id
    from reflex_firings f join users u on u.id = f.user_id and u.disabled_at is null
    where f.state = 'pending' and case
      when f.blocked_by is null then f.updated_at < now() - interval '1 hour'
      else not $1::jsonb ? f.blocked_by end
    order by f.updated_at limit $2`,
    [JSON.stringify(disabledHandlers), limit],
  )
  return rows.map(({ user_id, firing_id }) => ({ userId: user_id, firingId: firing_id }))
}

/**
 * Firings that have waited for confirmation since before a time. The state is not a parameter, so that a
 * generic plan uses the index of open firings.
 */
export const listUnconfirmedSince = (
  db: Db,
  before: Date,
  limit: number,
): Promise<{ userId: string; firingId: string }[]> =>
  db
    .select({ userId: reflexFirings.userId, firingId: reflexFirings.firingId })
    .from(reflexFirings)
    .where(and(sql`${reflexFirings.state} = 'waiting'`, lt(reflexFirings.updatedAt, before)))
    .limit(limit)

/** Deletes settled firings created before a time. */
export const deleteOldFirings = async (db: Db, before: Date): Promise<void> => {
  await db
    .delete(reflexFirings)
    .where(
      and(
        lt(reflexFirings.createdAt, before),
        inArray(reflexFirings.state, ['done', 'failed', 'skipped', 'limited']),
      ),
    )
}
