import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Query } from '../db/database.ts'
import { makeDirectory, syncDirectorySync, writeSynced } from '../durable-files.ts'
import { StartError } from '../operator-error.ts'
import { createSecret } from '../secrets.ts'
import { type AuthSecrets, deriveKey, listSecrets } from './derived-keys.ts'
import {
  advanceFingerprint,
  findFingerprint,
  keepFingerprint,
  replaceFingerprint,
} from './store.ts'

const FILE = 'auth-secret'
const MIN_CHARACTERS = 32

/** The file, and the entry of a backup, have the current secret, and the previous one in a second line. */
export const parseSecrets = (text: string): AuthSecrets => {
  const [current = '', previous] = text.trim().split('\n')
  return { current, previous }
}

export const formatSecrets = (authSecrets: AuthSecrets): string =>
  listSecrets(authSecrets).join('\n')

/** The secrets of the variables. @returns undefined when the server generates its secret. */
export const configuredSecrets = ({
  authSecret,
  previousAuthSecret,
}: SecretOptions): AuthSecrets | undefined =>
  authSecret === undefined ? undefined : { current: authSecret, previous: previousAuthSecret }

interface SecretOptions {
  authSecret: string | undefined
  previousAuthSecret: string | undefined
}

/** @returns undefined when no server has generated a secret in `dataDir`. */
export const findSecrets = (dataDir: string): AuthSecrets | undefined => {
  const path = join(dataDir, FILE)
  return existsSync(path) ? parseSecrets(readFileSync(path, 'utf8')) : undefined
}

/** The variable or the file that a server has its secret from, for messages. */
export const secretSource = ({
  authSecret,
  dataDir,
}: Pick<SecretOptions, 'authSecret'> & { dataDir: string }): string =>
  authSecret ? 'SVC_AUTH_SECRET' : `SVC_DATA_DIR: ${join(dataDir, FILE)}`

/** Replaces a file with secrets durably. Only its owner can read it. */
export const writeSecrets = (path: string, authSecrets: AuthSecrets): void => {
  renameSync(draftOf(path, formatSecrets(authSecrets)), path)
  syncDirectorySync(dirname(path))
}

/** Creates the file with a secret durably, unless another process has created it. */
const createFile = (path: string, secret: string): void => {
  const draft = draftOf(path, secret)
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  syncDirectorySync(dirname(path))
}

const draftOf = (path: string, secret: string): string => {
  makeDirectory(dirname(path))
  const draft = `${path}.${crypto.randomUUID()}.draft`
  writeSynced(draft, secret)
  return draft
}

/**
 * The secret that signs tokens when none is configured: generated at the first start and stored in
 * `dataDir`, readable only by the owner.
 * @throws StartError when the directory cannot be read or written.
 */
export const keptSecrets = (dataDir: string): AuthSecrets => {
  const path = join(dataDir, FILE)
  try {
    if (!existsSync(path)) createFile(path, createSecret())
    const secrets = parseSecrets(readFileSync(path, 'utf8'))
    if (listSecrets(secrets).every(({ length }) => length >= MIN_CHARACTERS)) return secrets
  } catch (cause) {
    throw new StartError(
      `SVC_DATA_DIR: cannot keep a secret in ${path} (${(cause as Error).message})`,
      {
        cause,
      },
    )
  }
  throw new StartError(
    `SVC_DATA_DIR: ${path} holds no secret; remove it and run svc admin accept-secret to make a new one, which signs out all users`,
  )
}

/**
 * Replaces the generated secret by a new one, and keeps the replaced one as the previous.
 * @param secrets those of the file.
 */
export const rotateSecrets = (dataDir: string, { current }: AuthSecrets): void =>
  writeSecrets(join(dataDir, FILE), { current: createSecret(), previous: current })

/** Removes the previous secret from the file. */
export const dropPreviousSecret = (dataDir: string, { current }: AuthSecrets): void =>
  writeSecrets(join(dataDir, FILE), { current, previous: undefined })

/** Two processes can compare their secrets by it, and a reader of it learns none. */
const fingerprintOf = (authSecret: string): string =>
  deriveKey(authSecret, 'svc:auth-secret-fingerprint').toString('base64url')

/**
 * Compares the secret with that of the other processes of the database. The first one stores its own, and
 * so does one whose previous secret is the stored one.
 * @param source the variable or the file that the secret is from.
 * @throws StartError when another secret is stored: tokens and encrypted secrets would be refused.
 */
export const checkAuthSecret = async (
  query: Query,
  { current, previous }: AuthSecrets,
  source: string,
): Promise<void> => {
  const fingerprint = fingerprintOf(current)
  if ((await keepFingerprint(query, fingerprint)) === fingerprint) return
  const before = previous === undefined ? undefined : fingerprintOf(previous)
  // Another process may have replaced it meanwhile.
  if (before && (await advanceFingerprint(query, before, fingerprint)) === fingerprint) return
  throw new StartError(
    `${source} is not the secret of this database; use the one that its other processes use, or used before. To rotate the secret, set SVC_AUTH_SECRET_PREVIOUS to the earlier one. To replace it, which signs out all users, stop svc and run: svc admin accept-secret`,
  )
}

/** Whether the database has the fingerprint of another secret. */
export const hasOtherSecret = async (query: Query, authSecret: string): Promise<boolean> => {
  const stored = await findFingerprint(query)
  return stored !== undefined && stored !== fingerprintOf(authSecret)
}

/** Makes a secret that of the database. */
export const replaceAuthSecret = (query: Query, authSecret: string): Promise<void> =>
  replaceFingerprint(query, fingerprintOf(authSecret))
