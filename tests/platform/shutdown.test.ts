import { expect, test } from 'bun:test'
import { createDatabase } from '../harness/database.ts'
import { startDatabaseLink } from '../harness/link.ts'
import { spawnServer } from '../harness/process.ts'

test('a server whose PostgreSQL stops answering still exits on SIGTERM', async () => {
  const database = await createDatabase()
  using postgres = await startDatabaseLink(database.env.SVC_DATABASE_URL)
  await using server = spawnServer({ ...database.env, SVC_DATABASE_URL: postgres.url })
  await server.url
  postgres.stall()
  server.child.kill('SIGTERM')
  const { code } = await server.result()
  expect(code).toBe(0)
  await database.drop()
}, 120_000)
