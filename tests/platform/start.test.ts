import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { createDatabase, postgresUrl } from '../harness/database.ts'
import { spawnServer } from '../harness/process.ts'
import { startServer } from '../harness/server.ts'
import { refusal, refusedWith } from '../start/support.ts'

// Creating a first database takes seconds.
setDefaultTimeout(120_000)

describe('a start with a data directory', () => {
  const one = (pattern: RegExp) => [expect.stringMatching(pattern)]

  test('a start with an invalid secret file is refused', async () => {
    const database = await createDatabase()
    writeFileSync(join(database.env.SVC_DATA_DIR, 'auth-secret'), 'short')
    expect(await refusal({ ...database.env })).toEqual(
      one(/auth-secret holds no secret; remove it/),
    )
    await database.drop()
  })

  test('the secret file is readable by its owner only', async () => {
    const database = await createDatabase()
    await using server = spawnServer(database.env)
    await server.url
    const { mode } = statSync(join(database.env.SVC_DATA_DIR, 'auth-secret'))
    expect(mode & 0o777).toBe(0o600)
    server.child.kill('SIGTERM')
    await server.result()
    await database.drop()
  })
})

describe('a start with a database server', () => {
  const addressed = (change: (url: URL) => void) => {
    const url = new URL(postgresUrl)
    change(url)
    return url.href
  }
  test('a missing database or database user is reported in one line', async () => {
    await refusedWith(
      addressed((url) => {
        url.pathname = '/svc_no_such_database'
      }),
      /has no database svc_no_such_database$/,
    )
    await refusedWith(
      addressed((url) => {
        url.username = 'svc_no_such_user'
      }),
      /refused the login$/,
    )
  })
})

test('a first start on an empty database prints the address and serves requests', async () => {
  const database = await createDatabase({ isEmpty: true })
  await using server = spawnServer(database.env)
  const url = await server.url
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.result()
  expect(code).toBe(0)
  expect(stderr).toContain('/api/docs')
  expect(stderr).toContain('login')
  await database.drop()
})

test('two servers that start at once on an empty database create its tables once', async () => {
  const database = await createDatabase({ isEmpty: true })
  {
    const servers = await Promise.all([startServer({}, database), startServer({}, database)])
    for (const { url, stop } of servers) {
      expect((await fetch(`${url}/api/ready`)).status).toBe(200)
      await stop()
    }
  }
  await database.drop()
})

test('a start restores the options of queues that another version has changed', async () => {
  const database = await createDatabase()
  const sql = postgres(database.env.SVC_DATABASE_URL, { max: 1 })
  const retries = () => sql`select name, retry_limit from jobs.queue order by name`
  const declared = await retries()
  await sql`update jobs.queue set retry_limit = 99 where name = 'mail'`
  await (await startServer({}, database)).stop()
  expect([...(await retries())]).toEqual([...declared])
  await sql.end()
  await database.drop()
})

test('a database with the schema of another version is refused and not changed', async () => {
  const database = await createDatabase()
  const url = database.env.SVC_DATABASE_URL
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('other', 1)`
  const applied = () => sql`select hash from drizzle.__drizzle_migrations order by id`
  const before = await applied()
  await refusedWith(url, /was made by another version of svc.*svc export/)
  await sql`update drizzle.__drizzle_migrations set created_at = 9e12 where hash = 'other'`
  await refusedWith(url, /has the schema of a newer svc/)
  expect(await applied()).toEqual(before)
  await sql.end()
  await database.drop()
})
