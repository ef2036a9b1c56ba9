import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { lockClassExclusive } from '../../platform/db/locks.ts'
import { backups } from './table.ts'

export type BackupRow = typeof backups.$inferSelect

/** A server that makes a backup says so several times in this time. */
const STALE_SECONDS = 60
/** No server does background work. */
const UNCLAIMED_SECONDS = 600

const before = (seconds: number) => sql`now() - make_interval(secs => ${seconds})`

/** Serializes the requests for backups, because one is made at a time. */
export const lockBackups = (tx: Db): Promise<void> => lockClassExclusive(tx, 'backups')

/** Gives up backups whose server was killed, or that no server has begun. */
export const failStaleBackups = async (db: Db): Promise<void> => {
  await db
    .update(backups)
    .set({
      state: 'failed',
      error: 'The server stopped before it was done',
      finishedAt: new Date(),
    })
    .where(
      or(
        and(eq(backups.state, 'running'), lt(backups.aliveAt, before(STALE_SECONDS))),
        and(eq(backups.state, 'waiting'), lt(backups.createdAt, before(UNCLAIMED_SECONDS))),
      ),
    )
}

export const hasActiveBackup = async (db: Db): Promise<boolean> => {
  const rows = await db
    .select({ id: backups.id })
    .from(backups)
    .where(inArray(backups.state, ['waiting', 'running']))
    .limit(1)
  return rows.length > 0
}

export const insertBackup = async (tx: Db, isScheduled: boolean): Promise<BackupRow> => {
  const id = Bun.randomUUIDv7()
  const [row] = await tx.insert(backups).values({ id, isScheduled, state: 'waiting' }).returning()
  if (!row) throw new Error('the backup was not stored')
  return row
}

/** @returns false if another server has begun it. */
export const claimBackup = async (
  db: Db,
  id: string,
  values: Pick<BackupRow, 'path' | 'host' | 'isEncrypted'>,
): Promise<boolean> => {
  const rows = await db
    .update(backups)
    .set({ ...values, state: 'running', aliveAt: new Date() })
    .where(and(eq(backups.id, id), eq(backups.state, 'waiting')))
    .returning()
  return rows.length > 0
}

export const updateBackup = async (
  db: Db,
  id: string,
  values: Partial<Pick<BackupRow, 'state' | 'progress' | 'bytes' | 'error' | 'finishedAt'>>,
): Promise<void> => {
  await db
    .update(backups)
    .set({ ...values, aliveAt: new Date() })
    .where(eq(backups.id, id))
}

export const findBackup = async (db: Db, id: string): Promise<BackupRow | undefined> => {
  const [row] = await db.select().from(backups).where(eq(backups.id, id))
  return row
}

/** Newest first. */
export const listBackups = (db: Db, limit: number): Promise<BackupRow[]> =>
  db.select().from(backups).orderBy(desc(backups.id)).limit(limit)

/** The finished scheduled backups of a machine after the latest `keep`. */
export const listSurplusBackups = (db: Db, host: string, keep: number): Promise<BackupRow[]> =>
  db
    .select()
    .from(backups)
    .where(and(eq(backups.isScheduled, true), eq(backups.state, 'done'), eq(backups.host, host)))
    .orderBy(desc(backups.id))
    .offset(keep)

export const deleteBackup = async (db: Db, id: string): Promise<void> => {
  await db.delete(backups).where(eq(backups.id, id))
}
