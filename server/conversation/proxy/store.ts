import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { type ProxyTurnRow, proxyTurns } from './table.ts'

type Key = Pick<ProxyTurnRow, 'userId' | 'scope'>

/** One parameter, because a request may have more messages than a statement has parameters. */
const isAt = (places: string[]): SQL =>
  sql`${proxyTurns.place} in (select jsonb_array_elements_text(${JSON.stringify(places)}::jsonb))`

/** The turns of a conversation at these places. */
export const listTurns = (
  db: Db,
  { userId, scope }: Key,
  places: string[],
): Promise<ProxyTurnRow[]> =>
  db
    .select()
    .from(proxyTurns)
    .where(and(eq(proxyTurns.userId, userId), eq(proxyTurns.scope, scope), isAt(places)))

/** The latest turn of a session, and whether one has this id. */
export const findNumbering = async (
  query: Query,
  { userId, scope, session, turn }: Key & { session: string; turn: string | undefined },
): Promise<{ ordinal: number; turn: string; isUsed: boolean } | undefined> => {
  const [row] = await query<{ ordinal: number; turn: string; is_used: boolean }>(
    `select ordinal, turn, exists (
      select from proxy_turns where user_id = $1 and scope = $2 and session = $3 and turn = $4
    ) as is_used
    from proxy_turns where user_id = $1 and scope = $2 and session = $3
    order by ordinal desc limit 1`,
    [userId, scope, session, turn ?? ''],
  )
  return row && { ordinal: row.ordinal, turn: row.turn, isUsed: row.is_used }
}

/** Stores a turn, or what an earlier one at its place becomes. */
export const saveTurn = async (db: Db, row: Omit<ProxyTurnRow, 'usedAt'>): Promise<void> => {
  const { userId: _, scope: __, place: ___, ...values } = row
  await db
    .insert(proxyTurns)
    .values(row)
    .onConflictDoUpdate({
      target: [proxyTurns.userId, proxyTurns.scope, proxyTurns.place],
      set: { ...values, usedAt: sql`now()` },
    })
}

export const markAnswered = async (db: Db, turn: Key & { place: string }): Promise<void> => {
  await db
    .update(proxyTurns)
    .set({ isAnswered: true })
    .where(
      and(
        eq(proxyTurns.userId, turn.userId),
        eq(proxyTurns.scope, turn.scope),
        eq(proxyTurns.place, turn.place),
      ),
    )
}

/** Keeps the turns of a conversation that goes on. */
export const renewTurns = async (
  db: Db,
  { userId, scope }: Key,
  places: string[],
): Promise<void> => {
  await db
    .update(proxyTurns)
    .set({ usedAt: sql`now()` })
    .where(and(eq(proxyTurns.userId, userId), eq(proxyTurns.scope, scope), isAt(places)))
}

/** Deletes the turns of conversations that were not used for so many hours. */
export const deleteTurnsBefore = async (query: Query, hours: number): Promise<void> => {
  await query('delete from proxy_turns where used_at < now() - make_interval(hours => $1)', [hours])
}
