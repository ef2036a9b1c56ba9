import type { Database, Query } from '../db/database.ts'

/** Completes data of earlier versions, in steps of a few milliseconds. */
export interface Backfill {
  /** The key of the stored progress. A new name starts from the beginning. */
  name: string
  /**
   * Runs the next step, in the transaction that also stores the progress.
   * @param place the return value of the last step; null for the first.
   * @returns the place to continue from; null at the end.
   */
  step(query: Query, place: string | null): Promise<string | null>
  /**
   * Whether each server passes through all the data once more after its start, because a server of an
   * earlier version may have written rows before the place. The step must skip complete rows.
   */
  repeatsAfterStart?: boolean
}

/** `locked`: another server runs the step now. */
export type StepResult = 'more' | 'done' | 'locked'

export const runStep = async (database: Database, backfill: Backfill): Promise<StepResult> => {
  const { name } = backfill
  await database.query('insert into backfills (name) values ($1) on conflict do nothing', [name])
  return database.transaction(async (query) => {
    const [row] = await query<{ place: string | null; done: boolean }>(
      `select place, done_at is not null as done from backfills
      where name = $1 for update skip locked`,
      [name],
    )
    if (!row) return 'locked'
    if (row.done) return 'done'
    const place = await backfill.step(query, row.place)
    await query(
      `update backfills set place = $2::text, done_at = case when $2::text is null then now() end
      where name = $1`,
      [name, place],
    )
    return place === null ? 'done' : 'more'
  })
}

/** Runs a step without storing its progress. */
export const runUnstoredStep = (
  database: Database,
  { step }: Backfill,
  place: string | null,
): Promise<string | null> => database.transaction((query) => step(query, place))

/** Whether no step of the backfill has run. */
export const isUntouched = async (query: Query, name: string): Promise<boolean> => {
  const rows = await query(
    'select from backfills where name = $1 and (place is not null or done_at is not null)',
    [name],
  )
  return rows.length === 0
}

export const isDone = async (query: Query, name: string): Promise<boolean> => {
  const rows = await query('select from backfills where name = $1 and done_at is not null', [name])
  return rows.length > 0
}
