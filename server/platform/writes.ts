import { mkdirSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Query } from './db/database.ts'
import { createLatest } from './latest.ts'
import type { Log } from './log.ts'

/** SQLSTATEs and error codes of failed writes, with their meaning. */
const REASONS: Record<string, string> = {
  '53000': 'the database has insufficient resources',
  '53100': 'the disk of the database is full',
  '25006': 'the database is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
}

/** Large enough to need new blocks on a disk. */
const PROBE_BYTES = 64 * 1024

/** Creates a temporary table, because an insert into an existing page succeeds on a full disk. */
const DATABASE_PROBE = `create temporary table svc_write_probe on commit drop as
  select repeat(md5(n::text), 32) as filler from generate_series(1, 1024) n`

/** The reason why a write failed; undefined unless storage is the cause. */
export const storageFailure = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return REASONS[String((error as { code?: unknown }).code)] ?? storageFailure(error.cause)
}

export type WriteWatch = ReturnType<typeof createWriteWatch>

/**
 * Checks whether writes succeed. Each check probes the directories. It probes the database only after a
 * failed write, until a probe succeeds.
 */
export const createWriteWatch = (
  query: Query,
  listDirectories: () => readonly string[],
  log: Pick<Log, 'error' | 'info'>,
) => {
  const prepare = (directories: readonly string[]) => {
    for (const directory of directories) mkdirSync(directory, { recursive: true, mode: 0o700 })
    return directories
  }
  const directories = createLatest(listDirectories, prepare)
  let failing: string | undefined
  let isReported = false

  const probe = async (): Promise<void> => {
    for (const directory of directories())
      await probeDirectory(directory).catch((cause) => {
        throw new DirectoryError(storageFailure(cause) ?? `${directory} cannot be written to`, {
          cause,
        })
      })
    if (!isReported) return
    await query(DATABASE_PROBE, [])
    isReported = false
  }

  return {
    /** Reports a failed write: until a probe succeeds, `check` fails. */
    report(reason: string): void {
      isReported = true
      if (failing === undefined) log.error({ reason }, 'writes fail')
      failing = reason
    },

    /** @throws Error with the reason while writes fail. */
    async check(): Promise<void> {
      try {
        await probe()
      } catch (error) {
        const reason =
          error instanceof DirectoryError ? error.message : (storageFailure(error) ?? failing)
        // The database check reports its other failures, such as a lost connection.
        if (reason === undefined) return
        if (failing !== reason) log.error({ reason, error }, 'writes fail')
        failing = reason
        throw new Error(reason, { cause: error })
      }
      if (failing !== undefined) log.info({ reason: failing }, 'writes succeed again')
      failing = undefined
    },
  }
}

/** A directory cannot be written to, for the reason in the message. */
class DirectoryError extends Error {}

const probeDirectory = async (directory: string): Promise<void> => {
  const path = join(directory, `.write-probe-${crypto.randomUUID()}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES, 1), { mode: 0o600 })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}
