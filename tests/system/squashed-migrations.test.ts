import { expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import {
  APPLIED,
  COPY_MARKER,
  knownMigrations,
  migrationsFolder,
  SQUASHED,
} from '../../server/platform/db/migrations.ts'
import { openShared } from '../../server/platform/db/transfer/databases.ts'
import { createSchema } from '../../server/platform/db/transfer/schema.ts'
import { openDatabaseSession, type Transaction } from '../../server/platform/db/transfer/session.ts'
import { createClient } from '../../shared/client.ts'
import { signIn } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser } from '../harness/server.ts'
import { refusedWith } from '../start/support.ts'
import { catalogOf } from '../structure/catalog.ts'
import { backupOf, expectOpens, fixturePlace } from './schema-fixture.ts'
import {
  embeddedPlace,
  operate,
  type Place,
  refusalOf,
  runSql,
  scratch,
  serverPlace,
  startedPlace,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const FIXTURE = 'squashed'
const known = knownMigrations()
const initial = known.slice(0, 1)

const APPLIED_ROWS = `select id, hash, created_at::float8 as time from ${APPLIED} order by id`

const appliedOn = (url: string) => runSql(url, APPLIED_ROWS)

/** Reads the database of a stopped server. */
const read = async <T>(place: Place, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  const { SVC_DATABASE_URL: databaseUrl, SVC_DATA_DIR: dataDir } = place
  await using session = await openShared({ databaseUrl, dataDir })
  return await session.read(work)
}

const appliedIn = (place: Place) => read(place, async (tx) => [...(await tx.unsafe(APPLIED_ROWS))])

const schemaOf = (place: Place) =>
  read(place, async (tx) => ({
    catalog: await catalogOf(tx),
    applied: [...(await tx.unsafe(`select hash, created_at from ${APPLIED} order by created_at`))],
  }))

const timesOf = (rows: Record<string, unknown>[]) => rows.map(({ time }) => time)

/** Makes the table of migrations that of an earlier commit, which made the same tables. */
const pretend = (url: string, migrations: readonly number[]) =>
  runSql(
    url,
    `truncate ${APPLIED}`,
    `insert into ${APPLIED} (hash, created_at)
    select 'earlier', unnest('{${migrations.join()}}'::bigint[])`,
  )

/** A database with the schema of the squashed migrations, on the PostgreSQL server. */
const squashedPlace = async () => {
  const place = await serverPlace()
  await using session = await openDatabaseSession(place.SVC_DATABASE_URL)
  await session.write((tx) => createSchema(tx, 1))
  await pretend(place.SVC_DATABASE_URL, SQUASHED)
  return place
}

test('a data directory with the squashed migrations is adopted once, and a second start changes nothing', async () => {
  const place = await fixturePlace(FIXTURE)
  expect(timesOf(await appliedIn(place))).toEqual([...SQUASHED])
  await expectOpens(place, FIXTURE)
  const adopted = await appliedIn(place)
  expect(timesOf(adopted)).toEqual(known)
  await expectOpens(place, FIXTURE)
  expect(await appliedIn(place)).toEqual(adopted)
})

test('a data directory that is adopted has the schema of a new one', async () => {
  const adopted = await fixturePlace(FIXTURE)
  const fresh = embeddedPlace()
  for (const place of [adopted, fresh]) await withServer(place, async () => {})
  const { catalog, applied } = await schemaOf(fresh)
  expect(catalog.length).toBeGreaterThan(500)
  expect(await schemaOf(adopted)).toEqual({ catalog, applied })
})

test('a backup and a move of a database that is not adopted yet, and a restore of such a backup, have the initial migration', async () => {
  const place = await fixturePlace(FIXTURE)
  const file = join(scratch(), 'backup.tar.zst')
  const { manifest } = await operate(place).backup(file)
  expect(manifest.migrations).toEqual(initial)
  const moved = await serverPlace()
  await operate(place).move(moved.SVC_DATABASE_URL)
  expect(timesOf(await appliedIn(place))).toEqual([...SQUASHED])

  const restored = embeddedPlace()
  await operate(restored).restore(file)
  const fromEarlier = embeddedPlace()
  await operate(fromEarlier).restore(backupOf(FIXTURE))
  for (const each of [restored, fromEarlier, { ...moved, ...place }]) {
    expect(timesOf(await appliedIn(each))).toEqual(initial)
    await expectOpens(each, FIXTURE)
    expect(timesOf(await appliedIn(each))).toEqual(known)
  }
})

test('a move that an earlier commit began continues, and its target is adopted', async () => {
  const place = await fixturePlace(FIXTURE)
  const { SVC_DATABASE_URL } = await serverPlace()
  await operate(place).move(SVC_DATABASE_URL)
  await pretend(SVC_DATABASE_URL, SQUASHED)
  await runSql(SVC_DATABASE_URL, `create table ${COPY_MARKER} ()`, 'truncate memory_history')
  await refusedWith(SVC_DATABASE_URL, /interrupted svc admin move/)
  expect(timesOf(await appliedOn(SVC_DATABASE_URL))).toEqual([...SQUASHED])
  expect((await operate(place).move(SVC_DATABASE_URL)).resumed).toBeGreaterThan(0)
  await expectOpens({ ...place, SVC_DATABASE_URL }, FIXTURE)
  expect(timesOf(await appliedOn(SVC_DATABASE_URL))).toEqual(known)
})

test('two servers that start at once adopt a database once', async () => {
  const place = await squashedPlace()
  {
    await using one = spawnServer({ ...place })
    await using other = spawnServer({ ...place })
    for (const url of [await one.url, await other.url])
      expect((await fetch(`${url}/api/ready`)).status).toBe(200)
  }
  expect(timesOf(await appliedOn(place.SVC_DATABASE_URL))).toEqual(known)
})

test('a server that is killed after the adoption and before a later migration loses nothing, and the later one runs once', async () => {
  const place = await squashedPlace()
  const url = place.SVC_DATABASE_URL
  const sql = postgres(url, { max: 2, onnotice: () => {} })
  const user = await withServer(place, (at) => newUser({ url: at }))
  await pretend(url, SQUASHED)
  // The migrator of drizzle begins with this command.
  await sql.unsafe(`
    create function wait_for_test() returns event_trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(42); end $$;
    create event trigger wait_for_test on ddl_command_start when tag in ('CREATE SCHEMA')
      execute function wait_for_test()`)
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(42)`
    await using server = spawnServer({ ...place })
    const waiting = () => sql`
      select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
        and query ilike 'create schema%'`
    await eventually(async () => (await waiting()).length > 0)
    server.child.kill('SIGKILL')
    await server.child.exited
  })
  await sql`drop event trigger wait_for_test`
  expect(timesOf(await appliedOn(url))).toEqual(initial)
  await withServer(place, async (baseUrl) => {
    const body = { email: user.email, password: 'correct horse battery staple' }
    const signedIn = await createClient({ baseUrl }).call(signIn, { body })
    expect(signedIn).toMatchObject({ user: { email: user.email } })
  })
  const { folder, when } = folderWithLater()
  for (const _ of [1, 2]) await migrate(drizzle(sql), { migrationsFolder: folder })
  expect(timesOf(await appliedOn(url))).toEqual([...known, when])
  await sql.end()
})

/** A copy of the migrations with another one after them. */
const folderWithLater = () => {
  const folder = join(scratch(), 'migrations')
  cpSync(migrationsFolder, folder, { recursive: true })
  writeFileSync(join(folder, '9999_later.sql'), 'create table later ()')
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  const when = (knownMigrations().at(-1) ?? 0) + 1
  journal.entries.push({ idx: 9999, version: '7', when, tag: '9999_later', breakpoints: true })
  writeFileSync(path, JSON.stringify(journal))
  return { folder, when }
}

test('a database that lacks squashed migrations is refused by a start, a backup and a move, and not changed', async () => {
  const place = await startedPlace()
  const url = place.SVC_DATABASE_URL
  // A backup needs the secret that the first start creates.
  await withServer(place, async () => {})
  for (const count of [1, SQUASHED.length - 1]) {
    await pretend(url, SQUASHED.slice(0, count))
    const before = await appliedOn(url)
    const reason =
      /too old for this svc\. Start the last commit with migrations\/0036_folded_labels\.sql \(docs\/how-to\/install\.md#update-an-old-schema\) once/
    await refusedWith(url, reason)
    expect(await refusalOf(operate(place).backup(join(scratch(), 'backup')))).toMatch(reason)
    expect(await refusalOf(operate(place).move('embedded', { from: url }))).toMatch(reason)
    expect(await appliedOn(url)).toEqual(before)
  }
})
