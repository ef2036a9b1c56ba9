import { Database as Sqlite } from 'bun:sqlite'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../operator-error.ts'
import { explain } from './failure.ts'

export type DirectoryLock = ReturnType<typeof lockDirectory>

/** Another svc process runs on the data directory. */
export class DirectoryInUse extends StartError {}

/**
 * Locks `dataDir` for this process and creates it if it is missing. SQLite uses a file lock of the
 * operating system, which ends with the process even after a crash, so no lock becomes stale.
 * @throws StartError when the directory cannot be written, or another process has the lock.
 */
export const lockDirectory = (dataDir: string) => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    if (!statSync(dataDir).isDirectory()) throw new Error('not a directory')
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StartError(
      `SVC_DATA_DIR: ${dataDir} is not a directory that can be written (${(cause as Error).message})`,
      { cause },
    )
  }
  const pidFile = join(dataDir, 'svc.pid')
  const path = join(dataDir, 'svc.lock')
  let file: Sqlite | undefined
  try {
    makePrivate(path)
    file = new Sqlite(path)
    file.run('pragma locking_mode = exclusive')
    file.run('begin exclusive')
  } catch (cause) {
    file?.close()
    const { code = '' } = cause as { code?: string }
    if (/^(SQLITE_(FULL|IOERR)|ENOSPC$|EDQUOT$)/.test(code))
      throw explain('No space left on device', dataDir)
    if (code === 'SQLITE_BUSY')
      throw new DirectoryInUse(
        `SVC_DATA_DIR: another svc (process ${readPid(pidFile)}) is using ${dataDir}; stop it, or name another directory`,
        { cause },
      )
    throw new StartError(
      `SVC_DATA_DIR: ${path} is not the lock of svc; remove it, or name another directory`,
      { cause },
    )
  }
  try {
    writeFileSync(pidFile, String(process.pid))
  } catch (cause) {
    file.close()
    throw explain((cause as Error).message, dataDir)
  }
  return { release: (): void => file.close() }
}

/** Otherwise another user could lock the file: reading it is enough for a lock. */
const makePrivate = (path: string): void => {
  closeSync(openSync(path, 'a', 0o600))
  if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
}

const readPid = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'unknown'
  }
}
