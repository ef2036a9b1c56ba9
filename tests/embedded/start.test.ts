import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { connectBeside } from '../../server/platform/db/embedded/open.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { scratch } from '../start/support.ts'
import { databaseIn, makeDatabase, postgresPid, refusalOf, rememberOn, stop } from './support.ts'

setDefaultTimeout(120_000)

test('a first start in an empty directory creates a database, and a restart finds it', async () => {
  using dir = scratch()
  const env = { SVC_DATA_DIR: dir.path }
  let isRemembered: (url: string) => Promise<boolean>
  {
    await using first = spawnServer(env)
    isRemembered = await rememberOn(await first.url)
    await stop(first)
  }
  expect(existsSync(join(databaseIn(dir.path), 'postmaster.pid'))).toBe(false)
  await using second = spawnServer(env)
  expect(await isRemembered(await second.url)).toBe(true)
  await stop(second)
})

test('the database listens on no port, syncs, and verifies page checksums', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  await using server = spawnServer({ SVC_DATA_DIR: dir.path })
  await server.url
  const database = await connectBeside(dir.path)
  const settings = await database.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('listen_addresses', 'fsync',
      'synchronous_commit', 'full_page_writes', 'data_checksums', 'server_encoding') order by name`,
    [],
  )
  const [locale] = await database.query<{ locale: string }>(
    'select datlocale as locale from pg_database where datname = current_database()',
    [],
  )
  await database.close()
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    data_checksums: 'on',
    fsync: 'on',
    full_page_writes: 'on',
    listen_addresses: '',
    server_encoding: 'UTF8',
    synchronous_commit: 'on',
  })
  expect(locale?.locale).toBe('C.UTF-8')
  await stop(server)
})

test('a second svc on a data directory is refused while the first runs', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  await using first = spawnServer({ SVC_DATA_DIR: dir.path })
  const url = await first.url
  const pid = postgresPid(dir.path)
  expect(await refusalOf(dir.path)).toBe(
    `SVC_DATA_DIR: another svc (process ${first.child.pid}) is using ${dir.path}; stop it, or name another directory`,
  )
  expect(postgresPid(dir.path)).toBe(pid)
  expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  await stop(first)
})

test('one of two servers that start at once on an empty directory serves, and the other is refused', async () => {
  using dir = scratch()
  const servers = [1, 2].map(() => spawnServer({ SVC_DATA_DIR: dir.path }))
  const outcomes = await Promise.allSettled(servers.map(({ url }) => url))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(String(refused?.reason)).toContain('SVC_DATA_DIR: another svc (process ')
  for (const server of servers) await server[Symbol.asyncDispose]()
})

test('a data directory with a path of 200 characters works, also on a second start', async () => {
  using dir = scratch()
  const dataDir = join(dir.path, 'x'.repeat(199 - dir.path.length))
  expect(dataDir).toHaveLength(200)
  for (let start = 0; start < 2; start++) {
    await using server = spawnServer({ SVC_DATA_DIR: dataDir })
    const url = await server.url
    // On a busy machine, a check of the database may take longer than the endpoint waits.
    await eventually(async () => (await fetch(`${url}/api/ready`)).ok)
    await stop(server)
  }
})
