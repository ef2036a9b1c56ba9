import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { type ProxyTurnRow, proxyTurns } from './table.ts'

type Key = Pick<ProxyTurnRow, 'userId' | 'scope'>
/** A turn of a conversation, by its place there. */
export type TurnKey = Pick<ProxyTurnRow, 'userId' | 'scope' | 'place'>

export type KnownTurn = Pick<ProxyTurnRow, 'place' | 'session' | 'turn' | 'ordinal' | 'text'> & {
  isAnswered: boolean
  /** Whether it was used less than an hour ago. */
  isRecent: boolean
}

/** The turns of a conversation, and what its sessions were given. */
export interface KnownConversation {
  turns: KnownTurn[]
  given: { session: string; id: string }[]
}

/**
 * The turns of a conversation at these places. One statement reads what its sessions were given, too: a
 * turn that another request stores is either found, or nothing of it counts as given. The places are one
 * parameter, because a request may have more messages than a statement has parameters.
 * @param session the session that the program names.
 */
export const findConversation = async (
  query: Query,
  { userId, scope }: Key,
  places: string[],
  session: string | undefined,
): Promise<KnownConversation> => {
  const [row] = await query<KnownConversation>(
    `with turns as materialized (
      select * from proxy_turns
      where user_id = $1 and scope = $2 and place in (select jsonb_array_elements_text($3::jsonb))
    )
    select coalesce((
      select jsonb_agg(jsonb_build_object(
        'place', place, 'session', session, 'turn', turn, 'ordinal', ordinal, 'text', text,
        'isAnswered', is_answered, 'isRecent', used_at > now() - interval '1 hour'
      )) from turns
    ), '[]') as turns, coalesce((
      select jsonb_agg(jsonb_build_object('session', session, 'id', memory_id))
      from context_given
      where user_id = $1 and session in (select $4 union select session from turns)
    ), '[]') as given`,
    [userId, scope, JSON.stringify(places), session ?? ''],
  )
  return row ?? { turns: [], given: [] }
}

/** Whether a user has a turn at a place in another scope, and none in this one. */
export const isElsewhere = async (
  query: Query,
  { userId, scope, place }: Key & { place: string },
): Promise<boolean> => {
  const [row] = await query<{ is_elsewhere: boolean }>(
    `select coalesce(bool_and(scope <> $2), false) as is_elsewhere
    from proxy_turns where user_id = $1 and place = $3`,
    [userId, scope, place],
  )
  return row?.is_elsewhere ?? false
}

/** The latest turn of a session, and whether one has this id. */
export const findNumbering = async (
  tx: Db,
  { userId, scope, session, turn }: Key & { session: string; turn: string | undefined },
): Promise<{ ordinal: number; turn: string; isUsed: boolean } | undefined> => {
  const isInSession = and(
    eq(proxyTurns.userId, userId),
    eq(proxyTurns.scope, scope),
    eq(proxyTurns.session, session),
  )
  const isUsed = tx
    .select({ place: proxyTurns.place })
    .from(proxyTurns)
    .where(and(isInSession, eq(proxyTurns.turn, turn ?? '')))
  const [row] = await tx
    .select({
      ordinal: proxyTurns.ordinal,
      turn: proxyTurns.turn,
      isUsed: sql<boolean>`exists (${isUsed})`,
    })
    .from(proxyTurns)
    .where(isInSession)
    .orderBy(desc(proxyTurns.ordinal))
    .limit(1)
  return row
}

type NewTurn = Omit<ProxyTurnRow, 'usedAt' | 'isAnswered'>

/**
 * Stores a turn, unless there is one at its place.
 * @param replaced the session of an earlier conversation, whose turn it replaces.
 * @returns undefined if there is another turn.
 */
export const addTurn = async (
  tx: Db,
  row: NewTurn,
  replaced: string | undefined,
): Promise<NewTurn | undefined> => {
  const { userId: _, scope: __, place: ___, ...values } = row
  const [stored] = await tx
    .insert(proxyTurns)
    .values(row)
    .onConflictDoUpdate({
      target: [proxyTurns.userId, proxyTurns.scope, proxyTurns.place],
      set: { ...values, isAnswered: false, usedAt: sql`now()` },
      setWhere: eq(proxyTurns.session, replaced ?? ''),
    })
    .returning()
  return stored
}

export const findTurn = async (
  tx: Db,
  { userId, scope, place }: TurnKey,
): Promise<NewTurn | undefined> => {
  const [row] = await tx
    .select()
    .from(proxyTurns)
    .where(
      and(eq(proxyTurns.userId, userId), eq(proxyTurns.scope, scope), eq(proxyTurns.place, place)),
    )
  return row
}

/**
 * Records that a turn was answered, and the place from which a later request continues: that after the
 * response, where the provider keeps it.
 */
export const endTurn = async (
  query: Query,
  { userId, scope, place, session, turn, ordinal }: Omit<NewTurn, 'text'>,
  next: string | undefined,
): Promise<void> => {
  await query(
    `with answered as (
      update proxy_turns set is_answered = true where user_id = $1 and scope = $2 and place = $3
    )
    insert into proxy_turns as existing (user_id, scope, place, session, turn, ordinal, text, is_answered)
    select $1, $2, $4, $5, $6, $7, '', true where $4 <> ''
    on conflict (user_id, scope, place) do update set
      session = excluded.session, turn = excluded.turn, ordinal = excluded.ordinal, used_at = now()`,
    [userId, scope, place, next ?? '', session, turn, ordinal],
  )
}

/** Keeps the turns of a conversation that goes on. */
export const renewTurns = async (
  query: Query,
  { userId, scope }: Key,
  places: string[],
): Promise<void> => {
  await query(
    `update proxy_turns set used_at = now()
    where user_id = $1 and scope = $2 and place in (select jsonb_array_elements_text($3::jsonb))`,
    [userId, scope, JSON.stringify(places)],
  )
}

/** Deletes the turns of conversations that were not used for so many hours. */
export const deleteTurnsBefore = async (query: Query, hours: number): Promise<void> => {
  await query('delete from proxy_turns where used_at < now() - make_interval(hours => $1)', [hours])
}
