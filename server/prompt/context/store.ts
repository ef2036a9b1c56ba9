import { eq } from 'drizzle-orm'
import type { Db, Query } from '../../platform/db/database.ts'
import { contextGiven } from './table.ts'

/** The ids that a conversation was given before. */
export const listGiven = async (
  query: Query,
  userId: string,
  session: string,
): Promise<Set<string>> => {
  const rows = await query<{ memory_id: string }>(
    'select memory_id from context_given where user_id = $1 and session = $2',
    [userId, session],
  )
  return new Set(rows.map((row) => row.memory_id))
}

/** Forgets what a conversation was given, whose model no longer has it. */
export const forgetGiven = async (query: Query, userId: string, session: string): Promise<void> => {
  await query('delete from context_given where user_id = $1 and session = $2', [userId, session])
}

export const addGiven = async (
  query: Query,
  userId: string,
  session: string,
  memoryIds: string[],
): Promise<void> => {
  await query(
    `insert into context_given (user_id, session, memory_id)
    select $1, $2, value::uuid from jsonb_array_elements_text($3::jsonb)
    on conflict do nothing`,
    [userId, session, JSON.stringify(memoryIds)],
  )
}

/** Deletes what was given longer ago than so many days. */
export const deleteGivenBefore = async (query: Query, days: number): Promise<void> => {
  await query('delete from context_given where given_at < now() - make_interval(days => $1)', [
    days,
  ])
}

export const eraseGiven = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(contextGiven).where(eq(contextGiven.userId, userId))
}
