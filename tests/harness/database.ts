import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../server/config/config.ts'
import { distributeDatabase } from '../../server/operations.ts'
import { migrationsFolder } from '../../server/platform/db/migrations.ts'
import { createLog } from '../../server/platform/log.ts'
import { start } from '../../server/start.ts'
import { connectNodes, nodesOf, runOn, urlOf as urlOnServer } from './cluster.ts'
import { startPostgres } from './postgres.ts'

/** The database of the coordinator of a Citus cluster; databases of tests are then distributed. */
const citusUrl = process.env.TEST_CITUS_URL || undefined

/** The PostgreSQL that tests create databases on: one for the whole run, or one of this process. */
export const postgresUrl =
  citusUrl ?? (process.env.TEST_POSTGRES_URL || (await startPostgres()).url)

export interface TestDatabase {
  /** The variables that configure a server to use it. */
  env: { SVC_DATA_DIR: string; SVC_DATABASE_URL: string }
  /** Drops the database only, as an operator might by mistake. */
  dropDatabase(): Promise<void>
  /** Drops the database and deletes the data directory. */
  drop(): Promise<void>
}

/**
 * Creates an empty database and data directory. Creating the tables takes longer than most tests,
 * so they are copied from a template, unless `isEmpty` is set.
 */
export const createDatabase = async ({ isEmpty = false } = {}): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const name = newName()
  if (isEmpty) await createEmpty(name)
  else {
    await onServers(
      `create database ${name} template ${await templateDatabase()} strategy ${await copyStrategy()}`,
    )
    // `svc admin distribute` has set it, but settings are not copied.
    if (citusUrl) await disableJit(name)
  }
  const dropDatabase = () => onServers(`drop database if exists ${name} with (force)`)
  return {
    env: { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: urlOf(name) },
    dropDatabase,
    drop: async () => {
      await dropDatabase()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let askedStrategy: Promise<string> | undefined

/** Copying files needs half the processor time of copying through the log, but syncs all files if the server syncs. */
const copyStrategy = (): Promise<string> => {
  askedStrategy ??= onPostgres('show fsync').then(([row]) =>
    row?.fsync === 'off' ? 'file_copy' : 'wal_log',
  )
  return askedStrategy
}

const newName = () => `svc_test_${crypto.randomUUID().replaceAll('-', '')}`

const urlOf = (name: string): string => urlOnServer(postgresUrl, name)

const onPostgres = (statement: string) => runOn(postgresUrl, statement)

/** The server, or the coordinator and then the workers of a cluster. */
const servers = citusUrl ? await nodesOf(citusUrl) : [postgresUrl]

/** Whether databases are distributed over the nodes of a cluster. */
export const isCluster = citusUrl !== undefined

/** The URL of a database on a worker. */
export const workerUrl = (database: string): string =>
  urlOnServer(servers[1] ?? '', new URL(database).pathname.slice(1))

const onServers = async (statement: string): Promise<void> => {
  await Promise.all(servers.map((server) => runOn(server, statement)))
}

/** An empty database: on a cluster one on each node, which know each other. */
const createEmpty = async (name: string): Promise<void> => {
  await onServers(`create database ${name} template template1`)
  if (citusUrl) await connectNodes(servers, name, SHARDS)
}

const disableJit = async (name: string): Promise<void> => {
  await runOn(urlOf(name), `alter role current_user in database ${name} set jit to off`)
}

/** Few, so that a database is created quickly, but several on a node. */
const SHARDS = 4

/** Tests wait for engines and retries many hundred times. A queue stores the pause before its retries. */
export const SHORT_PAUSES = { engineDebounceMs: 50, engineRetryMs: 300, jobRetrySeconds: 1 }

/** Has a server create its tables and queues, and stops it. */
const startOnce = async (env: TestDatabase['env']) => {
  const config = readConfig({ SVC_PORT: '0', ...env })
  await (await start(config, { pauses: SHORT_PAUSES, log: createLog('silent') })).stop()
}

let madeTemplate: Promise<string> | undefined

const templateDatabase = (): Promise<string> => {
  madeTemplate ??= makeTemplateDatabase()
  return madeTemplate
}

/** The template for the current code, kept for other processes and later runs. */
const makeTemplateDatabase = async (): Promise<string> => {
  const name = `svc_template_${templateHash()}`
  const exists = await onPostgres(`select from pg_database where datname = '${name}'`)
  if (exists.length) return name
  const fresh = newName()
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const env = { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: urlOf(fresh) }
  await createEmpty(fresh)
  await startOnce(env)
  // Each server of a copy has a secret and keys of its own.
  await runOn(env.SVC_DATABASE_URL, 'delete from secret_fingerprints; delete from signing_keys')
  if (citusUrl) {
    await distributeDatabase(env, () => {})
    await closeToCitus(fresh)
  }
  rmSync(dataDir, { recursive: true })
  // The coordinator last: it shows that the template is there.
  await onServers(`alter database ${fresh} rename to ${name}`).catch(() =>
    // Another process created it first.
    onServers(`drop database ${fresh}`),
  )
  return name
}

/** Citus keeps a process connected to each of its databases, and PostgreSQL copies none that is in use. */
const closeToCitus = (name: string): Promise<void> =>
  onServers(`alter database ${name} allow_connections false;
    select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)

/** Differs when the tables or the queues differ. */
const templateHash = (): string => {
  const hash = new Bun.CryptoHasher('sha256')
  for (const file of readdirSync(migrationsFolder).toSorted())
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  hash.update(readFileSync(new URL('../../package.json', import.meta.url)))
  hash.update(JSON.stringify(SHORT_PAUSES))
  return hash.digest('hex').slice(0, 12)
}
