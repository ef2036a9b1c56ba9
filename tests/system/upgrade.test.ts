import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { AS_ORDINARY, refusalOf } from '../embedded/support.ts'
import { quietPort } from '../harness/ports.ts'
import { SVC_NAME } from '../harness/process.ts'
import {
  admin,
  adminJson,
  adminJsonIn,
  embeddedPlace,
  type Place,
  populate,
  scratch,
  untilReady,
  viewOf,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const OLD_BINARIES = '/usr/lib/postgresql/15/bin'
const PASSWORD = 'a-password-of-the-database'

/** Moves the database of a place into a data directory that PostgreSQL 15 creates. */
const makeOld = async (from: Place): Promise<Place> => {
  const place = embeddedPlace()
  const directory = join(place.SVC_DATA_DIR, 'postgres')
  mkdirSync(place.SVC_DATA_DIR, { mode: 0o700 })
  const secret = join(from.SVC_DATA_DIR, 'auth-secret')
  copyFileSync(secret, join(place.SVC_DATA_DIR, 'auth-secret'))
  const passwordFile = join(place.SVC_DATA_DIR, 'password')
  writeFileSync(passwordFile, PASSWORD)
  const made = Bun.spawnSync([
    ...AS_ORDINARY,
    ...[join(OLD_BINARIES, 'initdb'), '--pgdata', directory, '--username', 'svc'],
    ...['--pwfile', passwordFile, '--auth', 'scram-sha-256', '--encoding', 'UTF8'],
    ...['--locale', 'C.UTF-8', '--no-instructions'],
  ])
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
  writeFileSync(join(directory, 'svc-password'), PASSWORD)
  const port = await quietPort()
  const postgres = Bun.spawn(
    [
      ...AS_ORDINARY,
      ...[join(OLD_BINARIES, 'postgres'), '-D', directory, '-k', directory, '-p', String(port)],
    ],
    { stdout: 'ignore', stderr: 'ignore' },
  )
  const url = `postgres://svc:${PASSWORD}@127.0.0.1:${port}/postgres`
  await untilReady(url)
  await adminJson(from, 'move', '--to', url)
  postgres.kill('SIGINT')
  await postgres.exited
  return place
}

describe.if(existsSync(OLD_BINARIES))('a data directory of PostgreSQL 15', () => {
  test('in the default place is refused by a server, and upgraded with all data while the old one is kept', async () => {
    const source = embeddedPlace()
    const { user, view } = await withServer(source, async (url) => {
      const user = await populate(source, url, 500)
      return { user, view: await viewOf(user, url) }
    })
    const place = await makeOld(source)
    expect(await refusalOf(place.SVC_DATA_DIR)).toContain(`run: ${SVC_NAME} admin upgrade`)
    const elsewhere = await admin(place, 'upgrade', '--old-binaries', scratch())
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      1,
      expect.stringContaining('has no postgres'),
    ])

    const folder = dirname(place.SVC_DATA_DIR)
    symlinkSync(OLD_BINARIES, join(folder, 'old'))
    const result = await adminJsonIn(folder, 'upgrade', '--old-binaries', 'old')
    expect(result).toMatchObject({ from: 15, to: 18 })
    expect(readFileSync(join(result.kept, 'PG_VERSION'), 'utf8')).toBe('15\n')
    await withServer(place, async (url) => expect(await viewOf(user, url)).toEqual(view))
    expect(await adminJson(place, 'upgrade')).toBe(null)
  })
})
