import { and, desc, eq, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { lockClassExclusive } from '../../platform/db/locks.ts'
import { backups } from './table.ts'

export type BackupRow = typeof backups.$inferSelect

/** A process that makes a backup updates its row every ten seconds. */
const STALE_SECONDS = 60
/** A request waits for a process that does background work. */
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
    .set({ ...values, state: 'running', aliveAt: sql`now()` })
    .where(and(eq(backups.id, id), eq(backups.state, 'waiting')))
    .returning()
  return rows.length > 0
}

/**
 * Changes a backup that is being made.
 * @returns false if it was given up meanwhile, as that of a process that was frozen.
 */
export const updateBackup = async (
  db: Db,
  id: string,
  values: Partial<Pick<BackupRow, 'state' | 'progress' | 'bytes' | 'error' | 'finishedAt'>>,
): Promise<boolean> => {
  const rows = await db
    .update(backups)
    .set({ ...values, aliveAt: sql`now()` })
    .where(and(eq(backups.id, id), eq(backups.state, 'running')))
    .returning({ id: backups.id })
  return rows.length > 0
}

export const findBackup = async (db: Db, id: string): Promise<BackupRow | undefined> => {
  const [row] = await db.select().from(backups).where(eq(backups.id, id))
  return row
}

/** Newest first. */
export const listBackups = (db: Db, limit: number): Promise<BackupRow[]> =>
  db.select().from(backups).orderBy(desc(backups.id)).limit(limit)

/** The scheduled backups that were made, or that failed, the newest first. */
export const listScheduledBackups = (db: Db, state: 'done' | 'failed'): Promise<BackupRow[]> =>
  db
    .select()
    .from(backups)
    .where(and(eq(backups.isScheduled, true), eq(backups.state, state)))
    .orderBy(desc(backups.id))

/** The paths of all backups that failed. */
export const listFailedPaths = async (db: Db): Promise<string[]> => {
  const rows = await db
    .select({ path: backups.path })
    .from(backups)
    .where(and(eq(backups.state, 'failed'), isNotNull(backups.path)))
  return rows.flatMap(({ path }) => path ?? [])
}

export const deleteBackup = async (db: Db, id: string): Promise<void> => {
  await db.delete(backups).where(eq(backups.id, id))
}
