import { closeSync, openSync } from 'node:fs'
import { unusableFileError } from './private-file.ts'

const PAUSE_MS = 20

/** A lock of a file, which the system releases when the process ends in any way. */
export interface FileLock {
  close(): void
}

/**
 * Uses the file lock of SQLite. The wait does not block, so that the command that has the lock may be one of
 * this process.
 * @returns undefined if another process has the lock until the timeout.
 * @throws CliError if the file cannot be used.
 */
export const lockFile = async (path: string, timeoutMs: number): Promise<FileLock | undefined> => {
  const { Database } = await import('bun:sqlite')
  const endsAt = performance.now() + timeoutMs
  for (;;)
    try {
      closeSync(openSync(path, 'a', 0o600))
      const lock = new Database(path)
      try {
        lock.run('PRAGMA busy_timeout = 0')
        lock.run('BEGIN EXCLUSIVE')
        return lock
      } catch (cause) {
        lock.close()
        throw cause
      }
    } catch (cause) {
      if ((cause as { code?: unknown }).code !== 'SQLITE_BUSY') throw unusableFileError(path, cause)
      if (performance.now() > endsAt) return undefined
      await Bun.sleep(PAUSE_MS)
    }
}
