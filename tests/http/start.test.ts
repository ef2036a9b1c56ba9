import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, databaseKind, postgresUrl } from '../harness/database.ts'
import { startServer } from '../harness/server.ts'
import { spawnServer } from './process.ts'

// Making a first database takes seconds.
setDefaultTimeout(60_000)

/** A directory that is gone after the test. */
const scratch = () => {
  const path = mkdtempSync(join(tmpdir(), 'svc-test-start-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Starts a server that cannot start, and tells what the operator reads. */
const refusal = async (env: Record<string, string>): Promise<string[]> => {
  await using server = spawnServer(env)
  const { code, stderr } = await server.result()
  expect(code).toBe(1)
  return stderr.trimEnd().split('\n')
}

test('every mistake in the environment is told at once, a line each', async () => {
  using dir = scratch()
  const dataDir = join(dir.path, 'data')
  const lines = await refusal({
    SVC_PORT: '70000',
    SVC_DATABASE_URL: 'mysql://localhost/svc',
    SVC_BASE_URL: 'example.com',
    SVC_FRONTEND_ORIGINS: 'https://ok.example.com, https://app.example.com/path',
    SVC_COOKIE_DOMAIN: 'not a domain',
    SVC_AUTH_SECRET: 'short',
    SVC_SMTP_URL: 'http://mail.example.com',
    SVC_ADMIN_EMAILS: 'ada',
    SVC_TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/99',
    SVC_RATE_LIMIT_STORE: 'redis',
    SVC_EMBEDDING_DIMENSIONS: '1.5',
    SVC_DEFAULT_TIER: 'gold',
    SVC_LOG_LEVEL: 'loud',
    SVC_S3_REGION: 'eu-central-1',
    SVC_DATA_DIR: dataDir,
  })
  expect(lines).toEqual([
    'SVC_PORT takes a whole number from 0 to 65535',
    'SVC_DATABASE_URL takes a URL that starts with postgres:// or postgresql://',
    'SVC_BASE_URL takes a URL that starts with http:// or https://',
    'SVC_FRONTEND_ORIGINS takes origins such as https://app.example.com, without a path',
    'SVC_COOKIE_DOMAIN takes a domain such as example.com',
    'SVC_AUTH_SECRET takes at least 32 characters',
    'SVC_SMTP_URL takes a URL that starts with smtp:// or smtps://',
    'SVC_ADMIN_EMAILS takes email addresses',
    'SVC_TRUSTED_PROXIES takes addresses or ranges such as 10.0.0.0/8',
    'SVC_RATE_LIMIT_STORE takes one of memory, postgres',
    'SVC_EMBEDDING_DIMENSIONS takes a whole number from 1 to 16000',
    'SVC_DEFAULT_TIER takes one of amnesiac, awakened, conscious, payg',
    expect.stringMatching(/^SVC_LOG_LEVEL takes one of trace, /),
    'SVC_S3_* takes a SVC_S3_BUCKET too',
  ])
  expect(existsSync(dataDir)).toBe(false)
})

test('a mistake does not repeat a value: it may be a secret', async () => {
  const lines = await refusal({
    SVC_DATABASE_URL: 'mysql://me:hunter2@host/db',
    SVC_AUTH_SECRET: 'hunter2',
  })
  expect(lines.join()).not.toContain('hunter2')
})

describe('an address to listen on', () => {
  test('that is in use is told in one line', async () => {
    using dir = scratch()
    using taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    expect(
      await refusal({ SVC_PORT: String(taken.port), SVC_DATA_DIR: join(dir.path, 'data') }),
    ).toEqual([`SVC_PORT: ${taken.port} is in use; stop what uses it, or set another port`])
  })

  for (const port of ['0', '3999'])
    test(`that is none is told in one line, with port ${port} too`, async () => {
      using dir = scratch()
      const lines = await refusal({
        SVC_PORT: port,
        SVC_HOST: '256.1.1.1',
        SVC_DATA_DIR: join(dir.path, 'data'),
      })
      expect(lines).toEqual([expect.stringMatching(/^SVC_HOST: cannot listen on 256\.1\.1\.1/)])
    })
})

describe('a data directory', () => {
  const one = (pattern: RegExp) => [expect.stringMatching(pattern)]

  test('that is a file, or cannot be made, is told in one line', async () => {
    using dir = scratch()
    const file = join(dir.path, 'file')
    writeFileSync(file, 'mine')
    for (const path of [file, join(file, 'below'), '/proc/svc-data'])
      expect(await refusal({ SVC_DATA_DIR: path })).toEqual(
        one(/^SVC_DATA_DIR: .* is not a directory that can be written/),
      )
    expect(await Bun.file(file).text()).toBe('mine')
  })

  test('with something else where the database goes is refused and left as it is', async () => {
    for (const name of ['holiday.txt', 'PG_VERSION']) {
      using dir = scratch()
      mkdirSync(join(dir.path, 'postgres'))
      writeFileSync(join(dir.path, 'postgres', name), 'mine')
      expect(await refusal({ SVC_DATA_DIR: dir.path })).toEqual(
        one(/^SVC_DATA_DIR: the database in .*postgres cannot be opened/),
      )
      expect(readdirSync(join(dir.path, 'postgres'))).toEqual([name])
      expect(await Bun.file(join(dir.path, 'postgres', name)).text()).toBe('mine')
    }
  })

  test('with something else where the lock goes is refused, and nobody is blamed', async () => {
    using dir = scratch()
    writeFileSync(join(dir.path, 'svc.lock'), 'this is no lock '.repeat(100))
    expect(await refusal({ SVC_DATA_DIR: dir.path })).toEqual(
      one(/svc\.lock is not the lock of svc/),
    )
    rmSync(join(dir.path, 'svc.lock'))
    mkdirSync(join(dir.path, 'svc.lock'))
    expect(await refusal({ SVC_DATA_DIR: dir.path })).toEqual(
      one(/svc\.lock is not the lock of svc/),
    )
  })

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
  const refusedWith = async (url: string, pattern: RegExp) => {
    using dir = scratch()
    const dataDir = join(dir.path, 'data')
    const lines = await refusal({ SVC_DATABASE_URL: url, SVC_DATA_DIR: dataDir })
    expect(lines).toEqual([expect.stringMatching(pattern)])
    expect(existsSync(dataDir)).toBe(false)
  }

  test('that does not answer, or is not known, is told in one line', async () => {
    await refusedWith(
      'postgres://svc:hunter2@127.0.0.1:1/svc',
      /^SVC_DATABASE_URL: nothing answers at 127\.0\.0\.1:1$/,
    )
    await refusedWith(
      'postgres://svc@svc.invalid/svc',
      /^SVC_DATABASE_URL: the host svc\.invalid is not known$/,
    )
  })

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
