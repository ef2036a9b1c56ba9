import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase, databaseKind, postgresUrl } from '../harness/database.ts'
import { startServer } from '../harness/server.ts'
import { refusal, refusedWith, scratch } from '../start/support.ts'
import { spawnServer } from './process.ts'

// Making a first database takes seconds.
setDefaultTimeout(60_000)

describe('a data directory', () => {
  const one = (pattern: RegExp) => [expect.stringMatching(pattern)]

  test('with a secret that is none is refused', async () => {
    const database = await createDatabase()
    writeFileSync(join(database.env.SVC_DATA_DIR, 'auth-secret'), 'short')
    expect(await refusal({ ...database.env })).toEqual(
      one(/auth-secret holds no secret; remove it/),
    )
    await database.drop()
  })

  test.skipIf(databaseKind !== 'embedded')(
    'is one server’s alone, and free again however that one ends',
    async () => {
      const database = await createDatabase()
      {
        await using first = spawnServer(database.env)
        await first.url
        expect(await refusal(database.env)).toEqual(
          one(new RegExp(`^SVC_DATA_DIR: another svc \\(process ${first.child.pid}\\) is using`)),
        )
        first.child.kill('SIGKILL')
        await first.child.exited
      }
      await using second = spawnServer(database.env)
      expect((await fetch(`${await second.url}/api/ready`)).status).toBe(200)
      second.child.kill('SIGTERM')
      expect((await second.result()).code).toBe(0)
      await database.drop()
    },
  )

  test('keeps the secret for the owner’s eyes only', async () => {
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

describe('a database server', () => {
  const addressed = (change: (url: URL) => void) => {
    const url = new URL(postgresUrl)
    change(url)
    return url.href
  }
  test.skipIf(databaseKind !== 'postgres')(
    'without the database or the user that is named is told in one line',
    async () => {
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
    },
  )
})

test('a first start on an empty machine tells where it is and serves at once', async () => {
  using dir = scratch()
  const database = databaseKind === 'postgres' ? await createDatabase({ isEmpty: true }) : undefined
  const dataDir = join(dir.path, 'data')
  await using server = spawnServer({ ...database?.env, SVC_DATA_DIR: dataDir })
  const url = await server.url
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  server.child.kill('SIGTERM')
  const { code, stderr } = await server.result()
  expect(code).toBe(0)
  expect(stderr).toContain('/api/docs')
  expect(stderr).toContain('login')
  await database?.drop()
})

test.skipIf(databaseKind !== 'postgres')(
  'two that start at once on an empty database make its tables together',
  async () => {
    const database = await createDatabase({ isEmpty: true })
    {
      const servers = await Promise.all([startServer({}, database), startServer({}, database)])
      for (const { url, stop } of servers) {
        expect((await fetch(`${url}/api/ready`)).status).toBe(200)
        await stop()
      }
    }
    await database.drop()
  },
)
