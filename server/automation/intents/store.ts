import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type IntentData, type IntentKind, type IntentRow, intents } from './table.ts'

export type NewIntent = typeof intents.$inferInsert

export type IntentChange = Partial<
  Pick<IntentRow, 'title' | 'text' | 'dueAt' | 'hiddenUntil' | 'weight' | 'feedback' | 'data'>
>

const isIntent = (userId: string, intentId: string) =>
  and(eq(intents.userId, userId), eq(intents.intentId, intentId))

const isOpen = (userId: string) => and(eq(intents.userId, userId), eq(intents.state, 'open'))

/** @returns undefined when there is one of that source already. */
export const insertIntent = async (tx: Db, intent: NewIntent): Promise<IntentRow | undefined> => {
  const [row] = await tx
    .insert(intents)
    .values(intent)
    .onConflictDoNothing({ target: [intents.userId, intents.source] })
    .returning()
  return row
}

/** Those of these sources, whatever became of them, after those that are new were added. */
export const insertIntents = async (
  tx: Db,
  userId: string,
  opened: NewIntent[],
): Promise<IntentRow[]> => {
  const sources = opened.map(({ source }) => source)
  const known = await listBySource(tx, userId, sources)
  const isKnown = new Set(known.map(({ source }) => source))
  // In one order, so that two that open the same do not wait for each other.
  const fresh = opened
    .filter(({ source }) => !isKnown.has(source))
    .toSorted((one, other) => (one.source < other.source ? -1 : 1))
  if (fresh.length === 0) return known
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
  /** Only those that are due by then, and not put off beyond it. */
  at?: Date | undefined
  /** Only those whose data name one of these. */
  about?: keyof IntentData | undefined
  /** The last one of the page before. */
  before?: IntentRow | undefined
  limit: number
}

/** Open ones: the weightiest first, then the newest. */
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

/** @returns it, if it was open: of decisions at the same time one wins. */
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

/** Notes what somebody thinks of it, decided or not. */
export const rateIntent = async (
  tx: Db,
  userId: string,
  intentId: string,
  feedback: IntentRow['feedback'],
): Promise<void> => {
  await tx.update(intents).set({ feedback }).where(isIntent(userId, intentId))
}

/** By kind, how many more of those opened since then were welcome than were not. */
export const tallyFeedback = async (
  db: Db,
  userId: string,
  since: Date,
): Promise<Map<IntentKind, number>> => {
  const rows = await db
    .select({
      kind: intents.kind,
      liking: sql<number>`sum(case feedback when 'thumbs_up' then 1 else -1 end)::int`,
    })
    .from(intents)
    .where(
      and(eq(intents.userId, userId), isNotNull(intents.feedback), gte(intents.createdAt, since)),
    )
    .groupBy(intents.kind)
  return new Map(rows.map(({ kind, liking }) => [kind, liking]))
}

/** @returns it, if it is open. */
export const changeIntent = async (
  tx: Db,
  userId: string,
  intentId: string,
  change: IntentChange,
): Promise<IntentRow | undefined> => {
  const [row] = await tx
    .update(intents)
    .set(change)
    .where(and(isOpen(userId), eq(intents.intentId, intentId)))
    .returning()
  return row
}

/** Takes away what was said by reflexes, and confirmations that are decided, of before a time. */
export const pruneIntents = async (db: Db, before: Date): Promise<void> => {
  const isPassing = sql`(${intents.kind} = 'confirmation' or ${intents.source} like 'reflex:%')`
  const isOver = or(ne(intents.kind, 'confirmation'), ne(intents.state, 'open'))
  await db.delete(intents).where(and(lt(intents.createdAt, before), isPassing, isOver))
}
