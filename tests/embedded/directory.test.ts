import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SVC_NAME, spawnServer } from '../harness/process.ts'
import { scratch } from '../start/support.ts'
import {
  canUnshare,
  databaseIn,
  makeDatabase,
  postgresPid,
  refusalOf,
  stop,
  withMounts,
} from './support.ts'

setDefaultTimeout(120_000)

const PID_FILE = 'postmaster.pid'

const serves = async (dataDir: string, wrapper?: string[]): Promise<boolean> => {
  await using server = spawnServer({ SVC_DATA_DIR: dataDir }, wrapper)
  const { status } = await fetch(`${await server.url}/api/ready`)
  await stop(server)
  return status === 200
}

test('a postmaster.pid with the id of an unrelated process does not prevent the start', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  // The process of this test is running and is not a PostgreSQL.
  const lines = [process.pid, databaseIn(dir.path), 1_700_000_000, 5432, '', '', '  1  1', 'ready']
  writeFileSync(join(databaseIn(dir.path), PID_FILE), `${lines.join('\n')}\n`)
  expect(await serves(dir.path)).toBe(true)
})

test('a copy of a directory starts while the original is in use', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  const copy = `${dir.path}-copy`
  await using original = spawnServer({ SVC_DATA_DIR: dir.path })
  const url = await original.url
  const pid = postgresPid(dir.path)
  cpSync(dir.path, copy, { recursive: true, filter: (path) => !path.endsWith('.s.PGSQL.5432') })
  expect(postgresPid(copy)).toBe(pid)
  expect(await serves(copy)).toBe(true)
  expect(postgresPid(dir.path)).toBe(pid)
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  await stop(original)
  rmSync(copy, { recursive: true })
})

test('other users cannot lock the data directory, also when an earlier version has created the lock file', async () => {
  using dir = scratch()
  chmodSync(dir.path, 0o755)
  const lock = join(dir.path, 'svc.lock')
  const mode = () => statSync(lock).mode & 0o777
  await makeDatabase(dir.path)
  expect(mode()).toBe(0o600)
  chmodSync(lock, 0o644)
  expect(await serves(dir.path)).toBe(true)
  expect(mode()).toBe(0o600)
})

describe('an unusable directory is refused and not changed', () => {
  const refusedAfter = async (change: (database: string) => void): Promise<string> => {
    using dir = scratch()
    const database = databaseIn(dir.path)
    mkdirSync(join(database, 'global'), { recursive: true })
    for (const name of ['svc-password', 'global/pg_control'])
      writeFileSync(join(database, name), 'x')
    writeFileSync(join(database, 'PG_VERSION'), '18\n')
    change(database)
    const before = readdirSync(database)
    const message = await refusalOf(dir.path)
    expect(readdirSync(database)).toEqual(before)
    return message.replaceAll(database, 'DIR')
  }

  for (const [version, remedy] of [
    ['15', `run: ${SVC_NAME} admin upgrade`],
    ['19', 'use a newer svc'],
  ] as const)
    test(`a directory of PostgreSQL ${version} is refused`, async () => {
      expect(
        await refusedAfter((database) => writeFileSync(join(database, 'PG_VERSION'), version)),
      ).toBe(
        `SVC_DATA_DIR: the database in DIR is of PostgreSQL ${version}, and this svc carries 18; ${remedy}, or start the svc that made it`,
      )
    })

  test('a directory that svc did not create is refused', async () => {
    expect(await refusedAfter((database) => rmSync(join(database, 'svc-password')))).toBe(
      'SVC_DATA_DIR: the database in DIR was not made by svc: svc-password is missing; restore it from a backup, or name another directory',
    )
  })
})

test('a corrupt database is reported in one line', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  truncateSync(join(databaseIn(dir.path), 'global/pg_control'), 100)
  expect(await refusalOf(dir.path)).toMatch(
    /^SVC_DATA_DIR: the database in \S+ cannot be opened \(could not read file "global\/pg_control".*\); restore it from a backup, or name another directory$/,
  )
})

describe.skipIf(!canUnshare)('mounts in a namespace', () => {
  test('a read-only file system is reported, with a database on it and without', async () => {
    using dir = scratch()
    const readOnly = withMounts(`mount --bind ${dir.path} ${dir.path}
      mount -o remount,ro,bind ${dir.path}`)
    const expected = /^SVC_DATA_DIR: \S+ is not a directory that can be written \(EROFS: .*\)$/
    expect(await refusalOf(dir.path, readOnly)).toMatch(expected)
    await makeDatabase(dir.path)
    expect(await refusalOf(dir.path, readOnly)).toMatch(expected)
  })

  test('a file system that is too small for a database is reported', async () => {
    using dir = scratch()
    const small = withMounts(`mount -t tmpfs -o size=20m tmpfs ${dir.path}`)
    expect(await refusalOf(dir.path, small)).toBe(
      `Creating the database in ${dir.path} …\nSVC_DATA_DIR: no space is left on the file system of ${databaseIn(dir.path)}; free some, then start svc again`,
    )
  })

  test('a full file system with a database on it is reported', async () => {
    using dir = scratch()
    using made = scratch()
    await makeDatabase(made.path)
    const full = withMounts(`mount -t tmpfs -o size=200m tmpfs ${dir.path}
      cp -a ${made.path}/. ${dir.path}
      cat /dev/zero >${dir.path}/filler 2>/dev/null || true`)
    expect(await refusalOf(dir.path, full)).toMatch(
      /^SVC_DATA_DIR: no space is left on the file system of \S+; free some, then start svc again$/,
    )
  })
})

test('a socket directory of another user is not used', async () => {
  using dir = scratch()
  const dataDir = join(dir.path, 'x'.repeat(150))
  const { socketDirectory } = await import('../../server/platform/db/embedded/parameters.ts')
  const path = socketDirectory(databaseIn(dataDir), { prefix: [] })
  rmSync(path, { recursive: true })
  symlinkSync(dir.path, path)
  try {
    expect(await refusalOf(dataDir)).toContain('is not a private directory of this user')
  } finally {
    rmSync(path)
  }
  expect(readFileSync(join(databaseIn(dataDir), 'PG_VERSION'), 'utf8')).toBe('18\n')
})
