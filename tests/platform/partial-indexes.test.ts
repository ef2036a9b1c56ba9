import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { countUnsentEmails, listFailedEmails } from '../../server/admin/queues/store.ts'
import { listUnconfirmedSince } from '../../server/automation/firings/store.ts'
import type { Db } from '../../server/platform/db/database.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'

let database: TestDatabase
let sql: postgres.Sql
const statements: string[] = []
let db: Db

beforeAll(async () => {
  database = await createDatabase()
  sql = postgres(database.env.SVC_DATABASE_URL, {
    max: 1,
    // Empty tables are read without an index otherwise.
    connection: { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' },
  })
  const logger = { logQuery: (text: string) => void statements.push(text) }
  db = drizzle(sql, { logger }) as unknown as Db
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

/** The plan of a statement for any values. */
const genericPlan = async (statement: string): Promise<string> => {
  const count = new Set(statement.match(/\$\d+/g)).size
  const values = count ? `(${Array(count).fill('null').join(', ')})` : ''
  await sql.unsafe(`prepare statement as ${statement}`)
  const rows = await sql.unsafe(`explain execute statement${values}`)
  await sql.unsafe('deallocate statement')
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test.each([
  ['countUnsentEmails', 'email_recipients_unsent', () => countUnsentEmails(db)],
  ['listFailedEmails', 'email_recipients_unsent', () => listFailedEmails(db, 10)],
  ['listUnconfirmedSince', 'reflex_firings_open', () => listUnconfirmedSince(db, new Date(), 10)],
])('the generic plan of %s reads the partial index %s', async (_, index, run) => {
  await run()
  expect(await genericPlan(statements.pop() ?? '')).toContain(index)
})
