import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { syncDirectorySync, writeSynced } from '../../durable-files.ts'
import { StartError } from '../../operator-error.ts'
import type { Binaries } from './binaries.ts'
import { explain } from './failure.ts'
import { ENVIRONMENT, giveTo, type RunAs } from './run-as.ts'

/** The database role of svc. */
export const ROLE = 'svc'
const PASSWORD_FILE = 'svc-password'

/** macOS has no C.UTF-8. Sorting and case are the same, because PostgreSQL has a builtin C.UTF-8 provider. */
const CHARACTERS = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

/** The password of `ROLE`, generated with the database. */
export const readPassword = (directory: string): string =>
  readFileSync(join(directory, PASSWORD_FILE), 'utf8').trim()

/** The major version of PostgreSQL that created the database. */
export const storedVersion = (directory: string): string =>
  readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()

/** Whether the directory is missing or empty. */
export const isEmpty = (directory: string): boolean =>
  !existsSync(directory) || readdirSync(directory).length === 0

/**
 * Checks that `directory` has a database of svc for this version of PostgreSQL.
 * @throws StartError if it does not.
 */
export const checkDirectory = (directory: string, { major }: Binaries): void => {
  const has = (name: string) => existsSync(join(directory, name))
  if (!has('PG_VERSION') || !has('global/pg_control'))
    throw new StartError(
      `SVC_DATA_DIR: ${directory} is not a PostgreSQL data directory; restore it from a backup, or set another SVC_DATA_DIR`,
    )
  const found = storedVersion(directory)
  if (found !== major)
    throw new StartError(
      `SVC_DATA_DIR: the database in ${directory} is of PostgreSQL ${found}, and this svc carries ${major}; ${Number(found) < Number(major) ? 'run: svc admin upgrade' : 'use a newer svc'}, or start the svc that made it`,
    )
  if (!has(PASSWORD_FILE))
    throw new StartError(
      `SVC_DATA_DIR: the database in ${directory} was not made by svc: ${PASSWORD_FILE} is missing; restore it from a backup, or name another directory`,
    )
}

/**
 * Creates a database in a temporary directory and renames it, so that an interrupted first start leaves
 * no partial database.
 * @throws StartError when it fails.
 */
export const makeDatabase = async (directory: string, binaries: Binaries, runAs: RunAs) => {
  let temporary: string | undefined
  try {
    temporary = mkdtempSync(`${directory}.new-`)
    const cluster = join(temporary, 'cluster')
    const passwordFile = join(temporary, 'password')
    mkdirSync(cluster, { mode: 0o700 })
    writeSynced(passwordFile, randomBytes(24).toString('base64url'))
    giveTo(runAs, temporary)
    const written = await initialize(cluster, passwordFile, binaries, runAs)
    if (written !== undefined) throw new Error(written)
    renameSync(passwordFile, join(cluster, PASSWORD_FILE))
    syncDirectorySync(cluster)
    if (existsSync(directory)) rmdirSync(directory)
    renameSync(cluster, directory)
    syncDirectorySync(dirname(directory))
  } catch (cause) {
    throw explain((cause as Error).message, directory)
  } finally {
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
  }
}

/** @returns the error output of initdb; undefined on success. */
const initialize = async (
  directory: string,
  passwordFile: string,
  { initdb }: Binaries,
  runAs: RunAs,
): Promise<string | undefined> => {
  const args = [
    ...['--pgdata', directory, '--username', ROLE, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--data-checksums', '--encoding', 'UTF8'],
    ...['--locale', 'C', '--lc-ctype', CHARACTERS],
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
    ...['--text-search-config', 'english', '--no-instructions'],
    // The password is random and as long as a key, so more iterations only slow down each connection.
    ...['--set', 'scram_iterations=1'],
  ]
  const { ok, written } = await run([...runAs.prefix, initdb, ...args], runAs)
  return ok ? undefined : written
}

const run = async ([command = '', ...args]: string[], { uid, gid }: RunAs) => {
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    env: ENVIRONMENT,
    uid,
    gid,
  })
  let written = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve).once('error', (error) => {
    written += error.message
    resolve(null)
  })
  return { ok: (await promise) === 0, written }
}
