import { existsSync } from 'node:fs'
import {
  listServerBackups,
  type ServerBackup,
  type ServerBackups,
  startServerBackup,
} from '../../../shared/contract/backups.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import { nextCronTime } from '../../platform/cron.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Log } from '../../platform/log.ts'
import { UTC } from '../../platform/timezone.ts'
import { type BackupRunsDeps, createBackupRuns, isOfThisMachine } from './runs.ts'
import {
  type BackupRow,
  failStaleBackups,
  hasActiveBackup,
  insertBackup,
  listBackups,
  lockBackups,
} from './store.ts'

const backupError = defineErrors({
  backup_running: { status: 409, detail: 'A backup is being made already; wait until it ends' },
})

export type BackupService = ReturnType<typeof startBackupService>

interface BackupDeps extends Omit<BackupRunsDeps, 'database'> {
  database: Database
  jobs: Jobs
  log: Log
  audit: Pick<AuditService, 'record'>
  /** The command that runs svc. */
  command: string
  /** @throws ApiError 403 if the caller is no longer an admin. */
  requireAdmin(tx: Db, caller: Caller): Promise<void>
  /** Calls back when settings have changed. */
  onChange(listener: () => void): void
}

const MAX_LISTED = 100

export const startBackupService = (deps: BackupDeps) => {
  const { database, jobs, log, audit, requireAdmin, readSettings, onChange } = deps
  const { db } = database
  const runs = createBackupRuns(deps)
  const made: JobKind<{ id: string }> = {
    name: 'backup',
    retries: 0,
    // In the background, because a large database takes longer than a job may.
    run: async ({ id }) => runs.begin(id),
  }
  jobs.work(made)

  /** @returns undefined while one is made. */
  const request = async (tx: Db, isScheduled: boolean): Promise<BackupRow | undefined> => {
    await lockBackups(tx)
    await failStaleBackups(tx)
    if (await hasActiveBackup(tx)) return undefined
    const row = await insertBackup(tx, isScheduled)
    await jobs.send(made, { id: row.id }, { tx })
    return row
  }

  const scheduled: JobKind<object> = {
    name: 'backup-schedule',
    retries: 2,
    async run() {
      const row = await db.transaction((tx) => request(tx, true))
      if (!row) log.warn('a scheduled backup was left out, because one is being made')
    },
  }
  jobs.work(scheduled)
  followSchedule(jobs, scheduled, { readSettings, onChange, log })

  const present = createPresenter(deps)
  return {
    async list(): Promise<ServerBackups> {
      await failStaleBackups(db)
      const { schedule: cron } = readSettings()
      const next = cron ? nextCronTime(cron, UTC, new Date()) : null
      const rows = await listBackups(db, MAX_LISTED)
      return { backups: rows.map(present), next_at: next?.toISOString() ?? null }
    },

    /**
     * Requests a backup, which a server makes in the background.
     * @throws ApiError 403 if the caller is no longer an admin, 409 while one is made.
     */
    async start({
      caller,
      client,
    }: {
      caller: Caller
      client: RequestClient
    }): Promise<ServerBackup> {
      const row = await db.transaction(async (tx) => {
        const requested = await request(tx, false)
        if (!requested) throw backupError('backup_running')
        await requireAdmin(tx, caller)
        await audit.record(tx, {
          userId: caller.userId,
          action: 'backup.requested',
          subject: requested.id,
          ip: client.ip,
        })
        return requested
      })
      return present(row)
    },

    stop: runs.stop,
  }
}

/** Schedules the job by the settings, and again after each change of them. */
const followSchedule = (
  jobs: Pick<Jobs, 'schedule'>,
  kind: JobKind<object>,
  { readSettings, onChange, log }: Pick<BackupDeps, 'readSettings' | 'onChange' | 'log'>,
): void => {
  let current: string | undefined
  let isFirst = true
  const follow = () => {
    const { schedule } = readSettings()
    if (!isFirst && schedule === current) return
    isFirst = false
    current = schedule
    jobs.schedule(kind, {}, schedule).catch((error: unknown) => {
      // The next change of settings tries again.
      isFirst = true
      log.error({ error }, 'the schedule of the backups was not stored')
    })
  }
  follow()
  onChange(follow)
}

const createPresenter =
  ({ command, dataDir }: Pick<BackupDeps, 'command' | 'dataDir'>) =>
  ({ path, host, bytes, ...row }: BackupRow): ServerBackup => ({
    id: row.id,
    state: row.state,
    scheduled: row.isScheduled,
    encrypted: row.isEncrypted,
    path,
    host,
    present: path === null || !isOfThisMachine({ path, host }) ? null : existsSync(path),
    size_bytes: bytes,
    progress: row.progress,
    error: row.error,
    restore_command:
      row.state === 'done' && path
        ? `SVC_DATA_DIR=${quote(dataDir)} ${command} admin restore ${quote(path)} --force`
        : null,
    created_at: row.createdAt.toISOString(),
    finished_at: row.finishedAt?.toISOString() ?? null,
  })

/** As one word of a POSIX shell. */
const quote = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

export const backupRoutes = (mount: Mount, backups: BackupService): void => {
  mount(listServerBackups, () => backups.list())
  mount(startServerBackup, ({ caller, client }) => backups.start({ caller, client }))
}
