import { join } from 'node:path'
import { type Blobs, fileBlobs } from '../../platform/blobs.ts'
import { isEmpty } from '../../platform/db/embedded/directory.ts'
import { lockDirectory } from '../../platform/db/embedded/lock.ts'
import { databaseDirectory } from '../../platform/db/embedded/open.ts'
import { draftPath, settleReplacement } from '../../platform/db/embedded/replacement.ts'
import { openExclusive, replaceEmbedded } from '../../platform/db/transfer/databases.ts'
import { isBlank } from '../../platform/db/transfer/schema.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { findSecrets, parseSecrets, writeSecrets } from '../../platform/secrets/auth-secret.ts'
import { type Archive, restore } from './load-archive.ts'

export interface RestoreOptions {
  dataDir: string
  /** The bucket of the blobs; undefined: the data directory. */
  bucket: Blobs | undefined
  /** The configured secret; undefined: that of the data directory. */
  authSecret: string | undefined
  overwrites: boolean
  /** Reports progress. */
  report(text: string): void
}

const SECRET = 'auth-secret'

/**
 * Restores into the embedded database. A database, blobs and secret that it replaces are kept beside it.
 * @returns the major version of PostgreSQL.
 * @throws StartError or OperatorError when a server runs on it, or it exists and `overwrites` is not set.
 */
export const restoreEmbedded = async (
  archive: Archive,
  options: RestoreOptions,
): Promise<number> => {
  const { dataDir, bucket, overwrites } = options
  checkSecret(archive, options)
  const { authSecret } = archive
  using opened = new DisposableStack()
  const lock = lockDirectory(dataDir)
  opened.defer(() => lock.release())
  await settleReplacement(dataDir)
  if (!overwrites && !isEmpty(databaseDirectory(dataDir)))
    throw new OperatorError(
      `SVC_DATA_DIR: ${dataDir} has a database; use another directory, or --force to replace it`,
    )
  const names = [
    ...(bucket ? [] : ['blobs']),
    ...(authSecret === undefined ? [] : [SECRET]),
    'postgres',
  ]
  const blobs = bucket ?? fileBlobs(draftPath(dataDir, 'blobs', 'restoring'))
  if (authSecret !== undefined)
    writeSecrets(draftPath(dataDir, SECRET, 'restoring'), parseSecrets(authSecret))
  return await replaceEmbedded(
    dataDir,
    { names, kept: 'replaced', draft: 'restoring' },
    (session) => restore(session, blobs, archive, { ...options, overwrites: false }),
  )
}

/**
 * Restores into a PostgreSQL server, in one transaction.
 * @throws OperatorError when a server runs on it, or it has tables of svc and `overwrites` is not set.
 */
export const restoreServer = async (
  archive: Archive,
  databaseUrl: string,
  options: RestoreOptions,
): Promise<number> => {
  const { dataDir, bucket, authSecret, overwrites } = options
  checkSecret(archive, options)
  await using session = await openExclusive({ databaseUrl, dataDir })
  if (!overwrites && !(await isBlank(session)))
    throw new OperatorError(
      'SVC_DATABASE_URL: the database has tables of svc; use an empty database, or --force to replace them',
    )
  const archived = archive.authSecret === undefined ? undefined : parseSecrets(archive.authSecret)
  const present = findSecrets(dataDir)
  const replaces = archived && present && present.current !== archived.current
  if (!overwrites && !authSecret && replaces)
    throw new OperatorError(
      `SVC_DATA_DIR: ${dataDir} has another secret; use another directory, or --force to replace it`,
    )
  const blobs = bucket ?? fileBlobs(join(dataDir, 'blobs'))
  const major = await restore(session, blobs, archive, options)
  if (!authSecret && archived) writeSecrets(join(dataDir, SECRET), archived)
  return major
}

/**
 * With another secret no session is valid, and stored secrets cannot be decrypted. An archive without one
 * is used with the secret that the server has.
 */
const checkSecret = (
  { path, authSecret: archived }: Archive,
  { authSecret, dataDir }: RestoreOptions,
): void => {
  if (authSecret && archived !== undefined && authSecret !== parseSecrets(archived).current)
    throw new OperatorError(
      'SVC_AUTH_SECRET is not the secret of the backup; set it to the first line of secrets/auth-secret of the archive, or unset it',
    )
  if (authSecret === undefined && archived === undefined && findSecrets(dataDir) === undefined)
    throw new OperatorError(
      `${path} has no secret, and neither has ${dataDir}; set SVC_AUTH_SECRET to the secret of the server that was backed up. With another one, all users must sign in again, and authenticator apps and open invites become void; memories, passwords and API keys remain valid`,
    )
}
