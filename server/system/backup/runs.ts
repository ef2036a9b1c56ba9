import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import type { BlobReferences, Blobs } from '../../platform/blobs.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { addressBeside } from '../../platform/db/embedded/open.ts'
import { openDatabaseSession } from '../../platform/db/transfer/session.ts'
import type { Log } from '../../platform/log.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { storageFailure } from '../../platform/writes.ts'
import { backUp } from './backup.ts'
import type { BackupSettings } from './settings.ts'
import {
  type BackupRow,
  claimBackup,
  deleteBackup,
  findBackup,
  listFailedPaths,
  listScheduledBackups,
  updateBackup,
} from './store.ts'

export interface BackupRunsDeps {
  database: Pick<Database, 'background'>
  /** Undefined: the embedded database of `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  authSecret: string
  blobs: Blobs
  blobReferences: readonly BlobReferences[]
  readSettings: () => BackupSettings
  /** A passphrase is stored, which may be unreadable. */
  hasPassphrase(): boolean
  log: Log
}

/** The backups that this process makes. */
export type BackupRuns = ReturnType<typeof createBackupRuns>

const PROGRESS_MS = 500
const ALIVE_MS = 10_000

export const createBackupRuns = (deps: BackupRunsDeps) => {
  const { database, log, readSettings } = deps
  const { db } = database.background
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  const write = async (
    id: string,
    path: string,
    passphrase: string | undefined,
  ): Promise<number> => {
    const { databaseUrl, dataDir, blobs, blobReferences, authSecret } = deps
    using progress = createProgress(db, log, id)
    await using session = await openDatabaseSession(databaseUrl ?? addressBeside(dataDir))
    const { missing } = await backUp({
      session,
      blobs,
      blobReferences,
      authSecret,
      passphrase,
      path,
      overwrites: false,
      signal: stopping.signal,
      report: progress.report,
    })
    if (missing.length) log.warn({ missing: missing.length }, 'files are missing in a backup')
    return (await stat(path)).size
  }

  const run = async (id: string): Promise<void> => {
    const { directory, passphrase, keep } = readSettings()
    const path = join(directory, fileName(id, passphrase !== undefined))
    const isEncrypted = passphrase !== undefined
    if (!(await claimBackup(db, id, { path, host: hostname(), isEncrypted }))) return
    try {
      if (!isEncrypted && deps.hasPassphrase())
        throw new OperatorError(
          'SVC_BACKUP_PASSPHRASE cannot be read, because another secret of the server encrypted it; enter it again, or remove it',
        )
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await deletePartial(db, directory)
      const bytes = await write(id, path, passphrase)
      const done = { state: 'done' as const, bytes, progress: null, finishedAt: new Date() }
      if (!(await updateBackup(db, id, done))) {
        await rm(path, { force: true })
        log.warn({ backup: id }, 'a backup was given up while this process was frozen')
        return
      }
      log.info({ backup: id, bytes }, 'backup made')
    } catch (error) {
      log.error({ error, backup: id }, 'a backup failed')
      const reason = stopping.signal.aborted ? 'The server was stopped' : reasonOf(error)
      const failed = { state: 'failed' as const, error: reason, progress: null }
      await updateBackup(db, id, { ...failed, finishedAt: new Date() })
      return
    }
    if ((await findBackup(db, id))?.isScheduled)
      await deleteSurplus(db, keep).catch((error: unknown) =>
        log.error({ error }, 'earlier scheduled backups were not deleted'),
      )
  }

  return {
    /** Makes a requested backup in the background. */
    begin(id: string): void {
      const done: Promise<void> = run(id)
        .catch((error: unknown) => log.error({ error, backup: id }, 'a backup failed'))
        .finally(() => running.delete(done))
      running.add(done)
    },

    /** Ends those that are being made, which then have failed. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Stores the progress now and then. */
const createProgress = (db: Db, log: Log, id: string) => {
  let storedAt = 0
  let last = ''
  const store = (progress: string) => {
    last = progress
    storedAt = performance.now()
    updateBackup(db, id, { progress }).catch((error: unknown) =>
      log.warn({ error }, 'the progress of a backup was not stored'),
    )
  }
  const alive = setInterval(() => store(last), ALIVE_MS)
  return {
    report(progress: string) {
      last = progress
      if (performance.now() - storedAt > PROGRESS_MS) store(progress)
    },
    [Symbol.dispose]: () => clearInterval(alive),
  }
}

/** Deletes the scheduled backups of this machine after the latest `keep`, and as many failed ones. */
const deleteSurplus = async (db: Db, keep: number): Promise<void> => {
  const done = (await listScheduledBackups(db, 'done')).filter(isOfThisMachine).slice(keep)
  const failed = (await listScheduledBackups(db, 'failed')).slice(keep)
  for (const { id, path, state } of [...done, ...failed]) {
    if (path && state === 'done') await rm(path, { force: true })
    await deleteBackup(db, id)
  }
}

/** Deletes the files of backups whose process was killed. */
const deletePartial = async (db: Db, directory: string): Promise<void> => {
  const failed = (await listFailedPaths(db)).map((path) => `${basename(path)}.`)
  for (const name of await readdir(directory))
    if (name.endsWith('.part') && failed.some((start) => name.startsWith(start)))
      await rm(join(directory, name), { force: true })
}

/** Sorted by time. */
const fileName = (id: string, isEncrypted: boolean): string => {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  return `svc-${time}-${id.slice(-6)}.tar.zst${isEncrypted ? '.age' : ''}`
}

/** A recreated container has another host name and the same files, whose names are random. */
export const isOfThisMachine = ({ path, host }: Pick<BackupRow, 'path' | 'host'>): boolean =>
  host === hostname() || (path !== null && existsSync(path))

const reasonOf = (error: unknown): string => {
  if (error instanceof OperatorError) return error.message
  const { code } = error as NodeJS.ErrnoException
  const failure = storageFailure(error) ?? (/^E[A-Z]+$/.test(code ?? '') ? code : undefined)
  return failure ? `The file cannot be written: ${failure}` : 'It failed; read the log of svc'
}
