import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Query } from '../db/database.ts'
import { makeDirectory, syncDirectorySync, writeSynced } from '../durable-files.ts'
import { StartError } from '../operator-error.ts'
import { findFingerprint, keepFingerprint, replaceFingerprint } from './store.ts'

const FILE = 'auth-secret'

/** @returns undefined when no server has generated a secret in `dataDir`. */
export const findSecret = (dataDir: string): string | undefined => {
  const path = join(dataDir, FILE)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** The variable or the file that a server has its secret from, for messages. */
export const secretSource = ({
  authSecret,
  dataDir,
}: {
  authSecret: string | undefined
  dataDir: string
}): string => (authSecret ? 'SVC_AUTH_SECRET' : `SVC_DATA_DIR: ${join(dataDir, FILE)}`)

/** Replaces the file with a secret durably. Only its owner can read it. */
export const writeSecret = (path: string, secret: string): void => {
  renameSync(draftOf(path, secret), path)
  syncDirectorySync(dirname(path))
}

/** Creates the file with a secret durably, unless another process has created it. */
const createSecret = (path: string, secret: string): void => {
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
export const keptSecret = (dataDir: string): string => {
  const path = join(dataDir, FILE)
  try {
    if (!existsSync(path)) createSecret(path, randomBytes(32).toString('base64url'))
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length >= 32) return secret
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

/** Derived by HKDF (RFC 5869): two processes can compare their secrets, and a reader of it learns none. */
const fingerprintOf = (authSecret: string): string =>
  Buffer.from(hkdfSync('sha256', authSecret, '', 'svc:auth-secret-fingerprint', 32)).toString(
    'base64url',
  )

/**
 * Compares the secret with that of the other processes of the database. The first one stores its own.
 * @param source the variable or the file that the secret is from.
 * @throws StartError when another secret is stored: tokens and encrypted secrets would be refused.
 */
export const checkAuthSecret = async (
  query: Query,
  authSecret: string,
  source: string,
): Promise<void> => {
  const fingerprint = fingerprintOf(authSecret)
  if ((await keepFingerprint(query, fingerprint)) === fingerprint) return
  throw new StartError(
    `${source} is not the secret of this database; use the one that its other processes use, or used before. To replace the secret, which signs out all users, stop svc and run: svc admin accept-secret`,
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
