import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { StartError } from '../../start-error.ts'
import { giveTo, type RunAs } from './run-as.ts'

const FILE = '.s.PGSQL.5432'
/** The longest path of a Unix socket on macOS; Linux allows four bytes more. */
const MAX_BYTES = 103

/** The directory of the socket: the data directory, or one with a shorter path if that is too long. */
export const socketDirectory = (directory: string, runAs: RunAs): string => {
  if (isShort(directory)) return directory
  const hash = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const path = [`/run/user/${process.getuid?.()}`, resolve(tmpdir()), '/tmp']
    .filter((parent) => existsSync(parent))
    .map((parent) => join(parent, `svc-${hash}`))
    .find(isShort)
  if (!path) throw new StartError(`SVC_DATA_DIR: ${directory} is too long for a Unix socket`)
  makePrivate(path, runAs)
  return path
}

export const socketPath = (directory: string): string => join(directory, FILE)

const isShort = (directory: string) => Buffer.byteLength(socketPath(directory)) <= MAX_BYTES

/** Any user can create a directory in /tmp, so one of another user may have a malicious socket. */
const makePrivate = (path: string, runAs: RunAs): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const stats = lstatSync(path)
  const isOurs = stats.uid === process.getuid?.() || stats.uid === runAs.uid
  if (!stats.isDirectory() || !isOurs || (stats.mode & 0o077) !== 0)
    throw new StartError(
      `${path}, where the socket of the embedded PostgreSQL goes, is not a private directory of this user; remove it, or set SVC_DATA_DIR to a shorter path`,
    )
  giveTo(runAs, path)
}
