import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { readConfig } from '../../server/config.ts'
import { migrationsFolder } from '../../server/platform/db/migrations.ts'
import { createLog } from '../../server/platform/log.ts'
import { start } from '../../server/start.ts'

/** Which database this run of the suite is on. */
export const databaseKind = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'embedded'

/** The server that tests make their databases on. */
export const postgresUrl =
  process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export interface TestDatabase {
  /** The variables that point a server at it. */
  env: { SVC_DATA_DIR: string; SVC_DATABASE_URL?: string }
  drop(): Promise<void>
}

/**
 * A fresh database of its own: a directory, or a database on the PostgreSQL server. Making its tables
 * takes longer than most tests, so they are copied, unless it `isEmpty`: as on a new machine.
 */
export const createDatabase = async ({ isEmpty = false } = {}): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(databaseKind === 'embedded' ? memory() : tmpdir(), PREFIX))
  const removeDir = () => rmSync(dataDir, { recursive: true, force: true })
  if (databaseKind === 'embedded') {
    if (!isEmpty) cpSync(await templateDirectory(), dataDir, { recursive: true })
    return { env: { SVC_DATA_DIR: dataDir }, drop: async () => removeDir() }
  }
  const template = isEmpty ? 'template1' : await templateDatabase()
  const name = newName()
  await onPostgres(`create database ${name} template ${template}`)
  return {
    env: { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: urlOf(name) },
    drop: async () => {
      await onPostgres(`drop database if exists ${name} with (force)`)
      removeDir()
    },
  }
}

const PREFIX = `svc-test-${process.pid}-`
const MEMORY = '/dev/shm'
const MEMORY_BYTES = 2 ** 30

let memoryDir: string | undefined

/**
 * Where files are memory, if this machine has such a place with room for some databases: making the
 * thousand files of one takes longer on a disk than starting a server on them.
 */
const memory = (): string => {
  memoryDir ??= findMemory() ?? tmpdir()
  return memoryDir
}

const findMemory = (): string | undefined => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < MEMORY_BYTES) return undefined
    accessSync(MEMORY, constants.W_OK)
  } catch {
    return undefined
  }
  removeLeftovers()
  return MEMORY
}

/** What runs that were killed have left would fill the memory in time. */
const removeLeftovers = () => {
  for (const name of readdirSync(MEMORY)) {
    const [, pid] = /^svc-test-(\d+)-/.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
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

/** Has a server make its tables and queues, and stops it. */
const startOnce = async (env: TestDatabase['env']) => {
  const config = readConfig({ SVC_PORT: '0', ...env })
  await (await start(config, { log: createLog('silent') })).stop()
}

/** Made once for the code as it stands, and kept for later runs. */
const templateDirectory = async (): Promise<string> => {
  const path = join(tmpdir(), `svc-test-template-${templateHash()}`)
  if (existsSync(path)) return path
  const fresh = mkdtempSync(join(tmpdir(), 'svc-test-template-new-'))
  await startOnce({ SVC_DATA_DIR: fresh })
  // Secrets are each server's own.
  for (const name of readdirSync(fresh))
    if (name !== 'postgres') rmSync(join(fresh, name), { recursive: true })
  // The databases that others would be made from, which none is.
  for (const oid of [1, 4]) rmSync(join(fresh, 'postgres/base', String(oid)), { recursive: true })
  try {
    renameSync(fresh, path)
  } catch {
    // Another run was first.
    rmSync(fresh, { recursive: true, force: true })
  }
  return path
}

let madeTemplate: Promise<string> | undefined

const templateDatabase = (): Promise<string> => {
  madeTemplate ??= makeTemplateDatabase()
  return madeTemplate
}

const makeTemplateDatabase = async (): Promise<string> => {
  const name = `svc_template_${templateHash()}`
  const isThere = await onPostgres(`select from pg_database where datname = '${name}'`)
  if (isThere.length) return name
  const fresh = newName()
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  await onPostgres(`create database ${fresh}`)
  await startOnce({ SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: urlOf(fresh) })
  rmSync(dataDir, { recursive: true })
  await onPostgres(`alter database ${fresh} rename to ${name}`).catch(() =>
    // Another run was first.
    onPostgres(`drop database ${fresh}`),
  )
  return name
}

/** Another for other tables, and for other queues. */
const templateHash = (): string => {
  const hash = new Bun.CryptoHasher('sha256')
  for (const file of readdirSync(migrationsFolder).toSorted())
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  hash.update(readFileSync(new URL('../../package.json', import.meta.url)))
  return hash.digest('hex').slice(0, 12)
}
