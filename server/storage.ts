import type { Config } from './config/config.ts'
import type { StartOptions } from './config/start-options.ts'
import { LOCK_ORDER } from './lock-order.ts'
import type { Database } from './platform/db/database.ts'
import { connectBeside, openEmbedded, startEmbedded } from './platform/db/embedded/open.ts'
import { openPostgres } from './platform/db/postgres.ts'
import type { Log } from './platform/log.ts'
import {
  checkAuthSecret,
  configuredSecrets,
  keptSecrets,
  secretSource,
} from './platform/secrets/auth-secret.ts'
import type { AuthSecrets } from './platform/secrets/derived-keys.ts'
import { openStoredSettings, type StoredSettings } from './platform/settings/service.ts'
import type { ServerRun } from './run.ts'

/** Closes the pools and, if svc runs PostgreSQL itself, shuts it down. */
const DATABASE_STOP_TIMEOUT_MS = 30_000

/** The database, the secrets that it was made with, and the settings that it has. */
export interface Storage {
  database: Database
  authSecrets: AuthSecrets
  settings: StoredSettings
}

type StorageOptions = Pick<StartOptions, 'embedded' | 'onLockOrderViolation'>

/** @throws StartError for an unreachable database, and for one that was made with another secret. */
export const openStorage = async (run: ServerRun, options: StorageOptions): Promise<Storage> => {
  const { config, log, onStop } = run
  const database = await openDatabase(run, options)
  onStop({ name: 'database', timeoutMs: DATABASE_STOP_TIMEOUT_MS, stop: database.close })
  const authSecrets = configuredSecrets(config) ?? keptSecrets(config.dataDir)
  await checkAuthSecret(database.query, authSecrets, secretSource(config))
  const settings = await openStoredSettings(database, authSecrets, log)
  onStop({ name: 'settings', stop: () => settings[Symbol.asyncDispose]() })
  return { database, authSecrets, settings }
}

/** The database of a URL, the one beside the first process, or an embedded one that this process runs. */
const openDatabase = async (
  { config, log, notice, joined }: ServerRun,
  { embedded, onLockOrderViolation }: StorageOptions,
): Promise<Database> => {
  const lockCheck = onLockOrderViolation && {
    order: LOCK_ORDER,
    onViolation: onLockOrderViolation,
  }
  if (config.databaseUrl)
    return openPostgres(config.databaseUrl, lockCheck, readReplica(config, log))
  if (joined) return connectBeside(config.dataDir)
  return openEmbedded(embedded ?? startEmbedded(config.dataDir, { log, notice }), lockCheck)
}

const readReplica = ({ databaseReadUrl: url }: Config, log: Log) =>
  url === undefined ? undefined : { url, log }
