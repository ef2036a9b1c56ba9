import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { formSubmissions } from './table.ts'

const lasts = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

/** @returns whether the submission is the first of its kind, or the one before has expired. */
export const beginSubmission = async (db: Db, hash: string, seconds: number): Promise<boolean> => {
  const rows = await db
    .insert(formSubmissions)
    .values({ hash, expiresAt: lasts(seconds) })
    .onConflictDoUpdate({
      target: formSubmissions.hash,
      set: { sealed: null, expiresAt: lasts(seconds) },
      setWhere: lt(formSubmissions.expiresAt, sql`now()`),
    })
    .returning({ hash: formSubmissions.hash })
  return rows.length > 0
}

export const finishSubmission = async (
  db: Db,
  hash: string,
  { sealed, seconds }: { sealed: string; seconds: number },
): Promise<void> => {
  await db
    .update(formSubmissions)
    .set({ sealed, expiresAt: lasts(seconds) })
    .where(eq(formSubmissions.hash, hash))
}

/** The outcome of a submission: null while it is handled, undefined when it failed. */
export const findSubmission = async (db: Db, hash: string): Promise<string | null | undefined> => {
  const [row] = await db
    .select({ sealed: formSubmissions.sealed })
    .from(formSubmissions)
    .where(and(eq(formSubmissions.hash, hash), sql`${formSubmissions.expiresAt} > now()`))
  return row?.sealed
}

export const deleteSubmission = async (db: Db, hash: string): Promise<void> => {
  await db.delete(formSubmissions).where(eq(formSubmissions.hash, hash))
}

export const deleteExpiredSubmissions = async (db: Db): Promise<void> => {
  await db.delete(formSubmissions).where(lt(formSubmissions.expiresAt, sql`now()`))
}
