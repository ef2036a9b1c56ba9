import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDatabase } from '../harness/database.ts'
import { runSql } from '../harness/http.ts'
import { refusal, refusedWith, scratch } from './support.ts'

// Creating a first database takes seconds.
setDefaultTimeout(60_000)

test('every invalid variable is reported at once, one line each', async () => {
  using dir = scratch()
  const dataDir = join(dir.path, 'data')
  const lines = await refusal({
    SVC_PORT: '70000',
    SVC_DATABASE_URL: 'mysql://localhost/svc',
    SVC_DATABASE_READ_URL: 'postgres://replica.example.com/svc',
    SVC_BASE_URL: 'example.com',
    SVC_FRONTEND_ORIGINS: 'https://ok.example.com, https://app.example.com/path',
    SVC_COOKIE_DOMAIN: 'not a domain',
    SVC_AUTH_SECRET: 'short',
    SVC_AUTH_SECRET_PREVIOUS: `${'x'.repeat(32)}\n${'y'.repeat(32)}`,
    SVC_SMTP_URL: 'http://mail.example.com',
    SVC_ADMIN_EMAILS: 'ada',
    SVC_TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.0/99',
    SVC_RATE_LIMIT_STORE: 'redis',
    SVC_EMBEDDING: 'minilm',
    SVC_EMBEDDING_DIMENSIONS: '1.5',
    SVC_DEFAULT_TIER: 'gold',
    SVC_LOG_LEVEL: 'loud',
    SVC_S3_REGION: 'eu-central-1',
    SVC_DATA_DIR: dataDir,
  })
  expect(lines).toEqual([
    'SVC_PORT must be a whole number from 0 to 65535',
    'SVC_DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
    'SVC_BASE_URL must be a URL that starts with http:// or https://',
    'SVC_FRONTEND_ORIGINS must be origins such as https://app.example.com, without a path',
    'SVC_COOKIE_DOMAIN must be a domain such as example.com',
    'SVC_AUTH_SECRET must be at least 32 characters long',
    'SVC_AUTH_SECRET_PREVIOUS must be a single line',
    'SVC_SMTP_URL must be a URL that starts with smtp:// or smtps://',
    'SVC_ADMIN_EMAILS must be email addresses',
    'SVC_TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8',
    'SVC_RATE_LIMIT_STORE must be one of memory, postgres',
    'SVC_EMBEDDING must be off, or onnx: and the name of a model or a directory, such as onnx:multilingual-e5',
    'SVC_EMBEDDING_DIMENSIONS must be a whole number from 1 to 16000',
    'SVC_DEFAULT_TIER must be one of amnesiac, awakened, conscious, payg',
    expect.stringMatching(/^SVC_LOG_LEVEL must be one of trace, /),
    'SVC_DATABASE_READ_URL requires SVC_DATABASE_URL',
    'SVC_S3_* requires SVC_S3_BUCKET',
  ])
  expect(existsSync(dataDir)).toBe(false)
})

test('a role of several processes needs a database server and what processes must share', async () => {
  expect(await refusal({ SVC_ROLE: 'cron' })).toEqual(['SVC_ROLE must be one of all, web, worker'])
  for (const role of ['web', 'worker']) {
    expect(await refusal({ SVC_ROLE: role })).toEqual([
      `SVC_ROLE=${role} requires SVC_DATABASE_URL; the embedded database allows SVC_ROLE=all only`,
    ])
    expect(await refusal({ SVC_ROLE: role, SVC_DATABASE_URL: 'postgres://127.0.0.1/svc' })).toEqual(
      [
        `SVC_ROLE=${role} requires SVC_AUTH_SECRET, the same for all processes`,
        `SVC_ROLE=${role} requires SVC_BASE_URL, the same for all processes`,
      ],
    )
  }
})

test.each([
  'https://example.com/?a=b',
  'https://example.com/svc?',
  'https://example.com/svc#part',
  'https://me@example.com/svc',
  'https://:hunter2@example.com/svc',
  'https://me:hunter2@example.com',
])('a start with the base URL %s is refused in one line', async (url) => {
  expect(await refusal({ SVC_BASE_URL: url })).toEqual([
    'SVC_BASE_URL must be a URL without a query, a fragment and credentials, such as https://example.com/svc',
  ])
})

test('an error about a variable does not repeat its value, which may be a secret', async () => {
  const lines = await refusal({
    SVC_DATABASE_URL: 'mysql://me:hunter2@host/db',
    SVC_AUTH_SECRET: 'hunter2',
  })
  expect(lines.join()).not.toContain('hunter2')
})

describe('an address to listen on', () => {
  test('a port in use is reported in one line that names another, and no data directory is created', async () => {
    using dir = scratch()
    using taken = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const port = Number(taken.port)
    const dataDir = join(dir.path, 'data')
    expect(await refusal({ SVC_PORT: String(port), SVC_DATA_DIR: dataDir })).toEqual([
      `SVC_PORT: ${port} is in use; stop the process that uses it, or set another port, such as SVC_PORT=${port + 1}`,
    ])
    expect(existsSync(dataDir)).toBe(false)
  })

  for (const port of ['0', '3999'])
    test(`an address that cannot be listened on is reported in one line, with port ${port}`, async () => {
      using dir = scratch()
      const lines = await refusal({
        SVC_PORT: port,
        SVC_HOST: '256.1.1.1',
        SVC_DATA_DIR: join(dir.path, 'data'),
      })
      expect(lines).toEqual([expect.stringMatching(/^SVC_HOST: cannot listen on 256\.1\.1\.1/)])
    })
})

describe('an unusable data directory', () => {
  const one = (pattern: RegExp) => [expect.stringMatching(pattern)]

  test('a data directory that is a file, or cannot be created, is reported in one line', async () => {
    using dir = scratch()
    const file = join(dir.path, 'file')
    writeFileSync(file, 'mine')
    for (const path of [file, join(file, 'below'), '/proc/svc-data'])
      expect(await refusal({ SVC_DATA_DIR: path })).toEqual(
        one(/^SVC_DATA_DIR: .* is not a directory that can be written/),
      )
    expect(await Bun.file(file).text()).toBe('mine')
  })

  test('a foreign file in place of the database is refused and not changed', async () => {
    for (const name of ['holiday.txt', 'PG_VERSION']) {
      using dir = scratch()
      mkdirSync(join(dir.path, 'postgres'))
      writeFileSync(join(dir.path, 'postgres', name), 'mine')
      expect(await refusal({ SVC_DATA_DIR: dir.path })).toEqual(
        one(
          /^SVC_DATA_DIR: \S+\/postgres is not a PostgreSQL data directory; restore it from a backup/,
        ),
      )
      expect(readdirSync(join(dir.path, 'postgres'))).toEqual([name])
      expect(await Bun.file(join(dir.path, 'postgres', name)).text()).toBe('mine')
    }
  })

  test('a foreign file in place of the lock is refused, without the claim that another svc runs', async () => {
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
})

describe('an unusable database server', () => {
  test('a database server that does not answer, or has an unknown name, is reported in one line', async () => {
    await refusedWith(
      'postgres://svc:hunter2@127.0.0.1:1/svc',
      /^SVC_DATABASE_URL: nothing answers at 127\.0\.0\.1:1$/,
    )
    await refusedWith(
      'postgres://svc@svc.invalid/svc',
      /^SVC_DATABASE_URL: the host svc\.invalid is not known$/,
    )
  })
})

test('a PostgreSQL without a free connection is reported in one line, at each step of the start', async () => {
  const database = await createDatabase({ isEmpty: true })
  const url = new URL(database.env.SVC_DATABASE_URL)
  const role = `few_${crypto.randomUUID().replaceAll('-', '')}`
  const limited = new URL(url)
  limited.username = role
  limited.password = 'secret'
  try {
    await runSql(
      database,
      `create role ${role} login password 'secret'`,
      `alter database ${url.pathname.slice(1)} owner to ${role}`,
    )
    for (const limit of [0, 1, 2, 4]) {
      await runSql(database, `alter role ${role} connection limit ${limit}`)
      using dir = scratch()
      const lines = await refusal({
        SVC_DATABASE_URL: limited.href,
        SVC_DATA_DIR: dir.path,
        SVC_AUTH_SECRET: 'x'.repeat(48),
      })
      expect([limit, lines]).toEqual([
        limit,
        [
          expect.stringMatching(
            /^SVC_DATABASE_URL: the server at \S+ has no free connection; raise/,
          ),
        ],
      ])
    }
  } finally {
    await database.drop()
  }
})
