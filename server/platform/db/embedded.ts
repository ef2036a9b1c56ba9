import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { StartError } from '../start-error.ts'
import type { Database, Db } from './database.ts'
import { lockDirectory } from './lock.ts'
import { migrationsFolder } from './migrations.ts'

/**
 * Opens the PostgreSQL that svc carries with it, in `dataDir`, and brings its schema up to date.
 * @throws StartError when the directory cannot be used, is in use, or holds something else.
 */
export const openEmbedded = async (dataDir: string): Promise<Database> => {
  const lock = lockDirectory(dataDir)
  try {
    const directory = join(dataDir, 'postgres')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const client = await PGlite.create({ dataDir: directory }).catch((cause) => {
      throw new StartError(
        `SVC_DATA_DIR: the database in ${directory} cannot be opened; restore it from a backup, or name another directory`,
        { cause },
      )
    })
    const db = drizzle(client) as unknown as Db
    await migrate(drizzle(client), { migrationsFolder })
    return {
      kind: 'embedded',
      db,
      query: async <T>(text: string, params: unknown[]) =>
        (await client.query<T>(text, params)).rows,
      async vacuum() {
        await client.exec('vacuum (analyze)')
      },
      async close() {
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
