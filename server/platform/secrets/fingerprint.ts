import { hkdfSync } from 'node:crypto'
import type { Query } from '../db/database.ts'
import { StartError } from '../start-error.ts'
import { findFingerprint, keepFingerprint, replaceFingerprint } from './store.ts'

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
