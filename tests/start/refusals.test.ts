import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, refusedWith, scratch } from './support.ts'

// Making a first database takes seconds.
setDefaultTimeout(60_000)

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
})

describe('a database server', () => {
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
})
