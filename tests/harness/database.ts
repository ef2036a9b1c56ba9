import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { openEmbedded } from '../../server/platform/db/embedded.ts'
import { migrationsFolder } from '../../server/platform/db/migrations.ts'

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

/** A fresh database of its own: an empty directory, or a new database on the PostgreSQL server. */
export const createDatabase = async (): Promise<TestDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-'))
  const removeDir = () => rmSync(dataDir, { recursive: true, force: true })
  if (databaseKind === 'embedded') {
    cpSync(await templateDirectory(), dataDir, { recursive: true })
    return { env: { SVC_DATA_DIR: dataDir }, drop: async () => removeDir() }
  }
  const name = `svc_test_${crypto.randomUUID().replaceAll('-', '')}`
  await onPostgres(`create database ${name}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return {
    env: { SVC_DATA_DIR: dataDir, SVC_DATABASE_URL: url.href },
    drop: async () => {
      await onPostgres(`drop database if exists ${name} with (force)`)
      removeDir()
    },
  }
}

const onPostgres = async (statement: string) => {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(statement).finally(() => sql.end())
}

/**
 * Making an embedded database takes seconds, copying one does not: it is made once for the
 * migrations as they stand, and kept for later runs.
 */
const templateDirectory = async (): Promise<string> => {
  const path = join(tmpdir(), `svc-test-template-${migrationsHash()}`)
  if (existsSync(path)) return path
  const fresh = mkdtempSync(join(tmpdir(), 'svc-test-template-new-'))
  await (await openEmbedded(fresh)).close()
  rmSync(join(fresh, 'svc.lock'), { force: true })
  try {
    renameSync(fresh, path)
  } catch {
    // Another run was first.
    rmSync(fresh, { recursive: true, force: true })
  }
  return path
}

const migrationsHash = (): string => {
  const hash = new Bun.CryptoHasher('sha256')
  for (const file of readdirSync(migrationsFolder).toSorted())
    if (file.endsWith('.sql')) hash.update(readFileSync(join(migrationsFolder, file)))
  return hash.digest('hex').slice(0, 12)
}
