import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../../operator-error.ts'

const POLL_MS = 10
/** The limit of a fast shutdown. An immediate one follows, and the next start recovers. */
const FAST_SHUTDOWN_MS = 10_000
const IMMEDIATE_SHUTDOWN_MS = 10_000

/**
 * Stops the PostgreSQL that a killed svc left running in `directory`, if there is one. The caller must
 * have the lock of the data directory, so that no running svc uses it.
 * @throws StartError when it does not stop.
 */
export const stopLeftover = async (directory: string): Promise<void> => {
  const pid = readPostmasterPid(directory)
  if (pid === undefined) return
  if (!isPostmasterOf(pid, directory)) return replaceStalePid(directory)
  const stopped =
    (await stopWith('SIGINT', FAST_SHUTDOWN_MS, pid, directory)) ||
    (await stopWith('SIGQUIT', IMMEDIATE_SHUTDOWN_MS, pid, directory))
  if (!stopped)
    throw new StartError(
      `SVC_DATA_DIR: PostgreSQL (process ${pid}) still uses ${directory} and does not stop; end it, then start svc again`,
    )
}

/** The process id in `postmaster.pid`; undefined if the file does not exist. */
const readPostmasterPid = (directory: string): number | undefined => {
  const pid = Number(readPidFile(directory)?.[0])
  return Number.isInteger(pid) && pid > 1 ? pid : undefined
}

/** Whether the server is ready, according to `postmaster.pid`. */
export const isReady = (directory: string, pid: number): boolean => {
  const lines = readPidFile(directory)
  return Number(lines?.[0]) === pid && lines?.[7]?.trim() === 'ready'
}

const pidFile = (directory: string): string => join(directory, 'postmaster.pid')

const readPidFile = (directory: string): string[] | undefined => {
  try {
    return readFileSync(pidFile(directory), 'utf8').split('\n')
  } catch {
    return undefined
  }
}

/** Process ids are reused, so this checks that the process is a PostgreSQL on this directory. */
const isPostmasterOf = (pid: number, directory: string): boolean => {
  if (process.platform === 'linux')
    try {
      const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
      return isPostgres && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory)
    } catch {
      return false
    }
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return stdout.includes('postgres') && stdout.includes(directory)
}

const stopWith = async (
  signal: NodeJS.Signals,
  timeoutMs: number,
  pid: number,
  directory: string,
): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, which the loop detects.
  }
  while (Date.now() < deadline) {
    if (!isPostmasterOf(pid, directory)) return true
    await Bun.sleep(POLL_MS)
  }
  return false
}

/**
 * PostgreSQL does not start while a process has the id in the file, unless that process is its parent. So
 * this writes the id of svc: PostgreSQL then treats the file as stale, but still checks for remaining
 * processes of the old server, which it would not do without the file. A server that ends normally
 * deletes the file as its last act.
 */
export const replaceStalePid = (directory: string): void => {
  const lines = readPidFile(directory)
  if (lines) writeFileSync(pidFile(directory), [process.pid, ...lines.slice(1)].join('\n'))
}
