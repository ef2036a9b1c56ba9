import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type Transaction } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { StartError } from '../start-error.ts'
import { tellingCommits } from './commits.ts'
import { clientOf, type Database, type Db, type Query } from './database.ts'
import { lockDirectory } from './lock.ts'
import { migrationsFolder } from './migrations.ts'
import { createPrepared, isScalar } from './prepared.ts'
import { startUpkeep } from './upkeep.ts'

/**
 * Opens the PostgreSQL that svc carries with it, in `dataDir`, and brings its schema up to date.
 * @param withVectors whether pgvector comes with it; where it was used before it always does.
 * @throws StartError when the directory cannot be used, is in use, or holds something else.
 */
export const openEmbedded = async (dataDir: string, withVectors = false): Promise<Database> => {
  const lock = lockDirectory(dataDir)
  try {
    const directory = join(dataDir, 'postgres')
    const client = await openDirectory(directory, withVectors).catch((cause) => {
      throw new StartError(
        `SVC_DATA_DIR: the database in ${directory} cannot be opened; restore it from a backup, or name another directory`,
        { cause },
      )
    })
    const db = tellingCommits(drizzle(client) as unknown as Db)
    await migrate(drizzle(client), { migrationsFolder })
    const runPrepared = createPrepared(client)
    const upkeep = startUpkeep(client)
    return {
      kind: 'embedded',
      db,
      query: async <T>(text: string, params: unknown[]) =>
        params.every(isScalar)
          ? runPrepared<T>(text, params)
          : (await client.query<T>(text, params)).rows,
      queryIn: (tx) => queryOn(clientOf(tx)),
      transaction: (work) => client.transaction((tx) => work(queryOn(tx))),
      async script(text) {
        const results = await client.exec(text)
        return results.findLast(({ rows }) => rows.length)?.rows ?? []
      },
      oneServerAtATime: (work) => work(),
      async vacuum() {
        await client.exec('vacuum (analyze)')
      },
      async close() {
        upkeep[Symbol.dispose]()
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

const queryOn =
  (client: Pick<Transaction, 'query'>): Query =>
  async <T>(text: string, params: unknown[]) =>
    (await client.query<T>(text, params)).rows

/** A new database is made beside its place and moved there whole: a first start that is cut short leaves no half of one. */
const openDirectory = async (directory: string, withVectors: boolean): Promise<PGlite> => {
  if (isEmpty(directory)) {
    const making = `${directory}.new`
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making, { mode: 0o700 })
    await (await PGlite.create({ dataDir: making })).close()
    renameSync(making, directory)
  }
  // Without its own files in the directory PGlite would write a new database over what is there.
  if (!existsSync(join(directory, 'PG_VERSION'))) throw new Error('not a database')
  if (withVectors) return openWithVectors(directory)
  const client = await PGlite.create({ dataDir: directory })
  if (!(await usesVectors(client))) return client
  await client.close()
  return openWithVectors(directory)
}

const openWithVectors = (dataDir: string) => PGlite.create({ dataDir, extensions: { vector } })

/** Tables with vectors can be neither written nor dropped without the extension. */
const usesVectors = async (client: PGlite): Promise<boolean> => {
  const { rows } = await client.query(`select from pg_extension where extname = 'vector'`)
  return rows.length > 0
}

const isEmpty = (directory: string): boolean =>
  !existsSync(directory) || readdirSync(directory).length === 0
