import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Database } from '../../server/platform/db/database.ts'
import { openEmbedded } from '../../server/platform/db/embedded.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { owned } from './owned.ts'

export type DatabaseKind = 'embedded' | 'postgres'

/** The server that databases are made on. */
const postgresUrl = process.env.SVC_BENCH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export interface BenchDatabase extends AsyncDisposable {
  kind: DatabaseKind
  dataDir: string
  /** Undefined: embedded in the data directory. */
  url: string | undefined
  /** Opens it in this process. An embedded one takes one process at a time. */
  open(): Promise<Database>
}

/** An empty database of its own, which is gone after use. */
export const createDatabase = async (kind: DatabaseKind): Promise<BenchDatabase> => {
  const dataDir = temporaryDirectory()
  const name = `svc_bench_${crypto.randomUUID().replaceAll('-', '')}`
  const url = kind === 'postgres' ? urlOf(name) : undefined
  if (url) await onPostgres(`create database ${name}`)
  const drop = async () => {
    if (url) await onPostgres(`drop database if exists ${name} with (force)`)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const open = () => (url ? openPostgres(url) : openEmbedded(dataDir))
  return { kind, dataDir, url, open, ...owned(drop) }
}

/**
 * Another connection to the same data, while a server uses it. An embedded database takes one
 * process, so what is opened is a copy.
 */
export const openBeside = async (
  original: BenchDatabase,
): Promise<AsyncDisposable & { database: Database }> => {
  const copy = original.url ? undefined : temporaryDirectory()
  if (copy) cpSync(original.dataDir, copy, { recursive: true })
  const database = await (copy ? openEmbedded(copy) : original.open())
  const close = async () => {
    await database.close()
    if (copy) rmSync(copy, { recursive: true, force: true })
  }
  return { database, ...owned(close) }
}

/** Which databases to run on. */
export const kindsOf = (choice: DatabaseKind | 'both'): DatabaseKind[] =>
  choice === 'both' ? ['embedded', 'postgres'] : [choice]

export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'svc-bench-'))

const urlOf = (name: string): string => {
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

const onPostgres = async (statement: string) => {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => {} })
  await sql.unsafe(statement).finally(() => sql.end())
}
