import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { type IntentData, type IntentKind, type IntentRow, intents } from './table.ts'

type IntentInsert = typeof intents.$inferInsert

export type IntentUpdate = Partial<
  Pick<IntentRow, 'title' | 'text' | 'dueAt' | 'hiddenUntil' | 'weight' | 'feedback' | 'data'>
>

const isIntent = (userId: string, intentId: string) =>
  and(eq(intents.userId, userId), eq(intents.intentId, intentId))

const isOpen = (userId: string) => and(eq(intents.userId, userId), eq(intents.state, 'open'))

/** @returns undefined if the source has an intent already. */
export const insertIntent = async (
  tx: Db,
  intent: IntentInsert,
): Promise<IntentRow | undefined> => {
  const [row] = await tx
    .insert(intents)
    .values(intent)
    .onConflictDoNothing({ target: [intents.userId, intents.source] })
    .returning()
  return row
}

/** Inserts the intents of new sources. @returns the intents of all sources, including decided ones. */
export const insertIntents = async (
  tx: Db,
  userId: string,
  inserts: IntentInsert[],
): Promise<IntentRow[]> => {
  const sources = inserts.map(({ source }) => source)
  const existing = await listBySource(tx, userId, sources)
  const isExisting = new Set(existing.map(({ source }) => source))
  // Sorted, so that concurrent inserts of the same sources do not deadlock.
  const fresh = inserts
    .filter(({ source }) => !isExisting.has(source))
    .toSorted((one, other) => (one.source < other.source ? -1 : 1))
  if (fresh.length === 0) return existing
  await tx
    .insert(intents)
    .values(fresh)
    .onConflictDoNothing({ target: [intents.userId, intents.source] })
  return listBySource(tx, userId, sources)
}

const listBySource = async (db: Db, userId: string, sources: string[]): Promise<IntentRow[]> =>
  sources.length === 0
    ? []
    : db
        .select()
        .from(intents)
        .where(and(eq(intents.userId, userId), inArray(intents.source, sources)))

export const findIntent = async (
  db: Db,
  userId: string,
  intentId: string,
): Promise<IntentRow | undefined> => {
  const [row] = await db.select().from(intents).where(isIntent(userId, intentId))
  return row
}

export const findIntentBySource = async (
  db: Db,
  userId: string,
  source: string,
): Promise<IntentRow | undefined> => {
  const [row] = await db
    .select()
    .from(intents)
    .where(and(eq(intents.userId, userId), eq(intents.source, source)))
  return row
}

export interface IntentFilter {
  kinds?: readonly IntentKind[] | undefined
  /** Only intents that are due and not snoozed at this time. */
  at?: Date | undefined
  /** Only intents whose data have this field. */
  about?: keyof IntentData | undefined
  /** The last intent of the previous page. */
  before?: IntentRow | undefined
  limit: number
}

/** Open intents by weight, then newest first. */
export const listOpenIntents = (
  db: Db,
  userId: string,
  { kinds, at, about, before, limit }: IntentFilter,
): Promise<IntentRow[]> =>
  db
    .select()
    .from(intents)
    .where(
      and(
        isOpen(userId),
        kinds && inArray(intents.kind, [...kinds]),
        at && lte(intents.dueAt, at),
        at && or(isNull(intents.hiddenUntil), lte(intents.hiddenUntil, at)),
        about === undefined ? undefined : sql`${intents.data} ? ${about}`,
        before &&
          sql`(${intents.weight}, ${intents.intentId}) < (${before.weight}::float8, ${before.intentId}::uuid)`,
      ),
    )
    .orderBy(desc(intents.weight), desc(intents.intentId))
    .limit(limit)

/** @returns undefined unless it was open: one of several concurrent decisions wins. */
export const closeIntent = async (
  tx: Db,
  userId: string,
  intentId: string,
  decision: { state: 'done' | 'dismissed'; outcome: string },
): Promise<IntentRow | undefined> => {
  const [row] = await tx
    .update(intents)
    .set({ ...decision, decidedAt: sql`now()` })
    .where(and(isOpen(userId), eq(intents.intentId, intentId)))
    .returning()
  return row
}

export const setFeedback = async (
  tx: Db,
  userId: string,
  intentId: string,
  feedback: IntentRow['feedback'],
): Promise<void> => {
  await tx.update(intents).set({ feedback }).where(isIntent(userId, intentId))
}

/** Thumbs up minus thumbs down for intents created since then, by kind. */
export const sumFeedback = async (
  db: Db,
  userId: string,
  since: Date,
): Promise<Map<IntentKind, number>> => {
  const rows = await db
    .select({
      kind: intents.kind,
      balance: sql<number>`sum(case feedback when 'thumbs_up' then 1 else -1 end)::int`,
    })
    .from(intents)
    .where(
      and(eq(intents.userId, userId), isNotNull(intents.feedback), gte(intents.createdAt, since)),
    )
    .groupBy(intents.kind)
  return new Map(rows.map(({ kind, balance }) => [kind, balance]))
}

/** @returns undefined unless it is open. */
export const updateIntent = async (
  tx: Db,
  userId: string,
  intentId: string,
  update: IntentUpdate,
): Promise<IntentRow | undefined> => {
  const [row] = await tx
    .update(intents)
    .set(update)
    .where(and(isOpen(userId), eq(intents.intentId, intentId)))
    .returning()
  return row
}

/** Deletes notifications of reflexes and decided confirmations created before a time. */
export const deleteOldIntents = async (db: Db, before: Date): Promise<void> => {
  const hasRetention = sql`(${intents.kind} = 'confirmation' or ${intents.source} like 'reflex:%')`
  const isSettled = or(ne(intents.kind, 'confirmation'), ne(intents.state, 'open'))
  await db.delete(intents).where(and(lt(intents.createdAt, before), hasRetention, isSettled))
}

/** Deletes the confirmations and notifications of firings. */
export const deleteIntentsOf = async (
  tx: Db,
  firings: readonly { userId: string; firingId: string }[],
): Promise<void> => {
  await tx.delete(intents).where(sql`(${intents.userId}, ${intents.source}) in (
    select "userId", kind || "firingId"
    from jsonb_to_recordset(${JSON.stringify(firings)}::jsonb) as f ("userId" uuid, "firingId" uuid),
      unnest(array['confirm:', 'reflex:']) kind)`)
}

/** Deletes what waits for a user. */
export const deleteOpenIntents = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(intents).where(and(eq(intents.userId, userId), eq(intents.state, 'open')))
}
