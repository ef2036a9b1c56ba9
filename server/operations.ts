import { readConfig } from './config/config.ts'
import { checkMemories, type MemoryProblem } from './memory/check/service.ts'
import {
  type InstalledModel,
  type InstallOptions,
  installModel,
  listModels,
  removeModel,
} from './memory/engines/embedding/encoder/install.ts'
import { eraseOwner } from './memory/erase.ts'
import { createBlobs } from './platform/blobs.ts'
import { connectionsOf, queryOn } from './platform/db/connections.ts'
import { checkSchema, knownMigrations } from './platform/db/migrations.ts'
import { openExclusive, openShared } from './platform/db/transfer/databases.ts'
import type { DatabaseSession } from './platform/db/transfer/session.ts'
import { OperatorError, StartError } from './platform/operator-error.ts'
import { resealColumns } from './platform/sealed-columns/service.ts'
import {
  configuredSecrets,
  dropPreviousSecret,
  findSecrets,
  formatSecrets,
  hasOtherSecret,
  keptSecrets,
  replaceAuthSecret,
  rotateSecrets,
} from './platform/secrets/auth-secret.ts'
import { storageFailure } from './platform/writes.ts'
import { openFile } from './system/backup/archive-reader.ts'
import { type BackupResult, backUp } from './system/backup/backup.ts'
import { type BlobProblems, checkBlobs } from './system/backup/blobs.ts'
import { openArchive } from './system/backup/load-archive.ts'
import type { BackupManifest } from './system/backup/manifest.ts'
import { restoreEmbedded, restoreServer } from './system/backup/restore-targets.ts'
import { type DistributeResult, distribute } from './system/distribute/distribute.ts'
import { type CopyResult, move } from './system/move/move.ts'
import { type UpgradeResult, upgradeEmbedded } from './system/move/upgrade.ts'

export type Environment = Record<string, string | undefined>

/** Reports progress. */
export type ReportText = (text: string) => void

/** The message of an error that the operator can fix; undefined for other errors. */
export const operatorMessage = (error: unknown): string | undefined => {
  if (error instanceof OperatorError || error instanceof StartError) return error.message
  const reason = storageFailure(error)
  return reason && `Writes fail: ${reason}`
}

/** Most operations need no more than the database: they start without the features. */
const loadFeatures = () => import('./features.ts')

export const backUpServer = async (
  env: Environment,
  {
    hasSecret,
    ...options
  }: {
    path: string
    overwrites: boolean
    hasSecret: boolean
    passphrase: string | undefined
    signal: AbortSignal
    report: ReportText
  },
): Promise<BackupResult> => {
  const config = readConfig(env)
  // First, because it finishes an interrupted replacement, which may have another secret.
  await using session = await openShared(config)
  const authSecrets = hasSecret
    ? (configuredSecrets(config) ?? findSecrets(config.dataDir))
    : undefined
  if (hasSecret && authSecrets === undefined)
    throw new OperatorError(
      `SVC_DATA_DIR: ${config.dataDir} has no secret; set it to the directory of the server, set SVC_AUTH_SECRET, or use --no-secret`,
    )
  const blobs = createBlobs(config.s3, config.dataDir)
  const authSecret = authSecrets && formatSecrets(authSecrets)
  const { blobReferences } = await loadFeatures()
  return await backUp({ ...options, session, blobs, blobReferences, authSecret })
}

export interface RestoreResult {
  manifest: BackupManifest
  /** The major versions of PostgreSQL. */
  from: number
  to: number
}

export const restoreBackup = async (
  env: Environment,
  path: string,
  {
    passphrase,
    ...options
  }: {
    overwrites: boolean
    /** Called for an encrypted archive. */
    passphrase(): Promise<string>
    report: ReportText
  },
): Promise<RestoreResult> => {
  const config = readConfig(env)
  const file = await openFile(path, passphrase)
  options.report(`checking ${path}`)
  const archive = await openArchive(file)
  const { dataDir, authSecret, databaseUrl } = config
  const bucket = config.s3 && createBlobs(config.s3, dataDir)
  const target = { ...options, dataDir, authSecret, bucket }
  const to = databaseUrl
    ? await restoreServer(archive, databaseUrl, target)
    : await restoreEmbedded(archive, target)
  const { manifest } = archive
  return { manifest, from: Number.parseInt(manifest.postgres, 10), to }
}

/** @param to, from `embedded`, or the URL of a server; `from` defaults to the configured database. */
export const moveDatabase = async (
  env: Environment,
  { from, to, ...options }: { from?: string; to: string; overwrites: boolean; report: ReportText },
): Promise<CopyResult> => {
  const { dataDir, databaseUrl } = readConfig(env)
  const source = from === undefined ? databaseUrl : parseDatabase(from, '--from')
  const target = parseDatabase(to, '--to')
  return move({ dataDir, databaseUrl: source }, { dataDir, databaseUrl: target }, options)
}

/** Undefined is the embedded database. The error does not repeat the value, which may have a password. */
const parseDatabase = (value: string, option: string): string | undefined => {
  if (value === 'embedded') return undefined
  if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value)) return value
  throw new OperatorError(
    `${option} must be embedded or the URL of a PostgreSQL server, such as postgres://db.example/svc; percent-encode special characters in its password`,
  )
}

export const upgradeDatabase = async (
  env: Environment,
  oldBinaries: string | undefined,
  report: ReportText,
): Promise<UpgradeResult | undefined> => {
  const { databaseUrl, dataDir } = readConfig(env)
  if (databaseUrl)
    throw new OperatorError(
      'SVC_DATABASE_URL is set: upgrade the server as its documentation describes',
    )
  return upgradeEmbedded(dataDir, oldBinaries, report)
}

/** Distributes the memories over the nodes of the Citus cluster of `SVC_DATABASE_URL`. */
export const distributeDatabase = async (
  env: Environment,
  report: ReportText,
): Promise<DistributeResult> => {
  const { databaseUrl, dataDir } = readConfig(env)
  if (!databaseUrl)
    throw new OperatorError('SVC_DATABASE_URL must be the URL of a Citus coordinator')
  await using session = await openExclusive({ databaseUrl, dataDir })
  return await distribute(session, report)
}

/**
 * Makes the configured secret that of the database. All sessions end, and secrets that were encrypted with
 * the earlier one cannot be decrypted. The next start ends the signing keys.
 * @returns false if the database has no other secret.
 */
export const acceptSecret = async (env: Environment): Promise<boolean> => {
  const { databaseUrl, dataDir, authSecret } = readConfig(env)
  await using session = await openExclusive({ databaseUrl, dataDir })
  const query = queryOn(session.sql)
  const accepted = authSecret ?? keptSecrets(dataDir).current
  const isOther = await hasOtherSecret(query, accepted)
  if (!isOther) return false
  await replaceAuthSecret(query, accepted)
  return true
}

/**
 * Replaces the generated secret by a new one. The replaced one stays accepted, until `dropsPrevious` removes
 * it from the data directory. Before, what the secret before it encrypted is encrypted again.
 * @returns whether there was one to drop; true after a rotation.
 */
export const rotateSecret = async (
  env: Environment,
  { dropsPrevious }: { dropsPrevious: boolean },
): Promise<boolean> => {
  const { databaseUrl, dataDir, authSecret } = readConfig(env)
  if (authSecret)
    throw new OperatorError(
      'SVC_AUTH_SECRET is set; to rotate it, set SVC_AUTH_SECRET_PREVIOUS to its value, SVC_AUTH_SECRET to a new one, and start svc again',
    )
  await using session = await openExclusive({ databaseUrl, dataDir })
  const authSecrets = findSecrets(dataDir)
  if (!authSecrets)
    throw new OperatorError(
      `SVC_DATA_DIR: ${dataDir} has no secret; set it to the directory of the server`,
    )
  const query = queryOn(session.sql)
  if (await hasOtherSecret(query, authSecrets.current))
    throw new OperatorError(
      'The secret of the data directory is not that of the database; start svc once before the next rotation',
    )
  if (authSecrets.previous !== undefined) {
    await requireCurrentSchema(session)
    await resealColumns(query, authSecrets, (await loadFeatures()).sealedColumns)
  }
  if (!dropsPrevious) {
    rotateSecrets(dataDir, authSecrets)
    return true
  }
  if (authSecrets.previous === undefined) return false
  dropPreviousSecret(dataDir, authSecrets)
  return true
}

const requireCurrentSchema = async ({ sql }: Pick<DatabaseSession, 'sql'>): Promise<void> => {
  const migrations = await checkSchema(sql)
  if (migrations.length !== knownMigrations().length)
    throw new OperatorError(
      'The database has the schema of an older svc; start this one once first',
    )
}

/** Compares derived data with its source. */
export const checkDatabase = async (
  env: Environment,
  { repairs, report }: { repairs: boolean; report: ReportText },
): Promise<{ memories: MemoryProblem[]; blobs: BlobProblems }> => {
  const config = readConfig(env)
  await using session = await openShared(config)
  await requireCurrentSchema(session)
  const connections = connectionsOf(session.sql)
  const memories = await checkMemories(connections, { repairs, eraseOwner, report })
  report('files')
  const stored = createBlobs(config.s3, config.dataDir)
  const { blobReferences } = await loadFeatures()
  const blobs = await checkBlobs(connections.query, stored, blobReferences, repairs)
  return { memories, blobs }
}

/** Installs a sentence encoder in the data directory. @returns undefined if its licence is not accepted. */
export const installEncoder = (
  env: Environment,
  options: Omit<InstallOptions, 'dataDir' | 'hub'>,
): Promise<InstalledModel | undefined> => {
  const { dataDir, modelsUrl: hub } = readConfig(env)
  return installModel({ ...options, dataDir, hub })
}

export const listEncoders = (env: Environment): InstalledModel[] =>
  listModels(readConfig(env).dataDir)

export const removeEncoder = (env: Environment, name: string): void =>
  removeModel(readConfig(env).dataDir, name)
