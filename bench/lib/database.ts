import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import type { Database } from '../../server/platform/db/database.ts'
import {
  connectBeside,
  openEmbedded,
  startEmbedded,
} from '../../server/platform/db/embedded/open.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { owned } from './owned.ts'

export type DatabaseKind = 'embedded' | 'postgres'

/** The server on which databases are created. */
const postgresUrl = process.env.SVC_BENCH_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres'

export interface BenchDatabase extends AsyncDisposable {
  kind: DatabaseKind
  dataDir: string
  /** Undefined: embedded in the data directory. */
  url: string | undefined
  /** Opens the database in this process. No server may use it at the same time. */
  open(): Promise<Database>
}

/** Creates an empty database, which is dropped on disposal. */
export const createDatabase = async (kind: DatabaseKind): Promise<BenchDatabase> => {
  const dataDir = temporaryDirectory()
  const name = `svc_bench_${crypto.randomUUID().replaceAll('-', '')}`
  const url = kind === 'postgres' ? urlOf(name) : undefined
  if (url) await onPostgres(`create database ${name}`)
  const drop = async () => {
    if (url) await onPostgres(`drop database if exists ${name} with (force)`)
    rmSync(dataDir, { recursive: true, force: true })
  }
  const open = () => (url ? openPostgres(url) : openEmbedded(startEmbedded(dataDir)))
  return { kind, dataDir, url, open, ...owned(drop) }
}

/** Opens another connection to a database that a server uses. */
export const openBeside = async (
  original: BenchDatabase,
): Promise<AsyncDisposable & { database: Database }> => {
  const database = await (original.url ? original.open() : connectBeside(original.dataDir))
  return { database, ...owned(database.close) }
}

/** The kinds of databases to run on. */
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
