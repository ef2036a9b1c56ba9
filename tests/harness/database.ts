import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { readConfig } from '../../server/config.ts'
import { migrationsFolder } from '../../server/platform/db/migrations.ts'
import { createLog } from '../../server/platform/log.ts'
import { start } from '../../server/start.ts'
import { startPostgres } from './postgres.ts'

/** The PostgreSQL that tests create databases on: one for the whole run, or one of this process. */
export const postgresUrl = process.env.TEST_POSTGRES_URL ?? (await startPostgres()).url

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
  const template = isEmpty ? 'template1' : await templateDatabase()
  const name = newName()
  await onPostgres(`create database ${name} template ${template} strategy ${await copyStrategy()}`)
  const dropDatabase = async () => {
    await onPostgres(`drop database if exists ${name} with (force)`)
  }
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

const urlOf = (name: string): string => {
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

const onPostgres = async (statement: string) => {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => {} })
  return sql.unsafe(statement).finally(() => sql.end())
}

/** Has a server create its tables and queues, and stops it. */
const startOnce = async (env: TestDatabase['env']) => {
  const config = readConfig({ SVC_PORT: '0', ...env })
  await (await start(config, { log: createLog('silent') })).stop()
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
  await onPostgres(`create database ${fresh}`)
  await startOnce({ SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: urlOf(fresh) })
  rmSync(dataDir, { recursive: true })
  await onPostgres(`alter database ${fresh} rename to ${name}`).catch(() =>
    // Another process created it first.
    onPostgres(`drop database ${fresh}`),
  )
  return name
}

/** Differs when the tables or the queues differ. */
const templateHash = (): string => {
  const hash = new Bun.CryptoHasher('sha256')
  for (const file of readdirSync(migrationsFolder).toSorted())
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  hash.update(readFileSync(new URL('../../package.json', import.meta.url)))
  return hash.digest('hex').slice(0, 12)
}
