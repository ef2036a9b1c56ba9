import { Database as Sqlite } from 'bun:sqlite'
import { accessSync, constants, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

export interface DirectoryLock {
  release(): void
}

/**
 * Makes sure that this process alone uses `dataDir`, which it creates where it is missing.
 * SQLite's file lock is the operating system's own, so it ends with the process, however that ends:
 * no stale lock is ever left behind.
 * @throws StartError when the directory cannot be written, or another process has it.
 */
export const lockDirectory = (dataDir: string): DirectoryLock => {
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
  const holder = join(dataDir, 'svc.pid')
  const path = join(dataDir, 'svc.lock')
  let file: Sqlite | undefined
  try {
    file = new Sqlite(path)
    file.run('pragma locking_mode = exclusive')
    file.run('begin exclusive')
  } catch (cause) {
    file?.close()
    throw new StartError(
      (cause as { code?: string }).code === 'SQLITE_BUSY'
        ? `SVC_DATA_DIR: another svc (process ${readPid(holder)}) is using ${dataDir}; stop it, or name another directory`
        : `SVC_DATA_DIR: ${path} is not the lock of svc; remove it, or name another directory`,
      { cause },
    )
  }
  writeFileSync(holder, String(process.pid))
  return { release: () => file.close() }
}

const readPid = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'unknown'
  }
}
