import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { openStoredSettings } from '../../server/platform/settings/service.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
}, 120_000)
afterAll(() => database.drop())

const listeners = () =>
  runSql(
    database,
    `select from pg_stat_activity
      where datname = current_database() and application_name = 'svc listen'`,
  )

test('settings that cannot be read at the start leave no connection that listens', async () => {
  const connected = await openPostgres(database.env.SVC_DATABASE_URL)
  const open = () =>
    openStoredSettings(connected, { current: 'x'.repeat(32), previous: undefined }, { warn() {} })
  try {
    {
      await using _settings = await open()
      expect(await listeners()).toHaveLength(1)
    }
    await eventually(async () => (await listeners()).length === 0)
    await runSql(database, 'alter table server_settings rename to hidden_settings')
    await expect(open()).rejects.toThrow('server_settings')
    await eventually(async () => (await listeners()).length === 0)
  } finally {
    await connected.close()
  }
})
