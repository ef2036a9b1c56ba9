import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { limitPool } from '../../server/platform/db/limited-pool.ts'
import { runRequest } from '../../server/platform/request-scope.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { type Link, startDatabaseLink } from '../harness/link.ts'

setDefaultTimeout(60_000)

/** More than a statement runs before its client is watched. */
const WATCHED_MS = 300

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())

/** A pool of one connection through a link, with its limits. */
const openPool = async () => {
  const link = await startDatabaseLink(database.env.SVC_DATABASE_URL)
  const client = postgres(link.url, { max: 1, prepare: false, onnotice: () => {} })
  limitPool(client, { connections: 1, statementMs: 30_000, waitMs: 30_000, isPooled: false })
  return {
    client,
    link,
    async [Symbol.asyncDispose]() {
      link.open()
      await client.end({ timeout: 1 })
      link[Symbol.dispose]()
    },
  }
}

/** A reading request of an account whose client disconnects when it is watched. */
const disconnecting = (client: postgres.Sql, statement: string) => {
  const { signal } = new AbortController()
  const aborting = AbortSignal.any([signal, AbortSignal.timeout(WATCHED_MS)])
  const scope = { client: { signal: aborting }, isRead: true, account: 'a' }
  return runRequest(scope, () => client.unsafe(statement).catch((error: unknown) => error))
}

const answerOf = (client: postgres.Sql, account: string) => {
  const { signal } = new AbortController()
  const scope = { client: { signal }, isRead: true, account }
  return runRequest(scope, async () => (await client.unsafe('select 1 as one'))[0]?.one)
}

const untilDisconnected = () => Bun.sleep(2 * WATCHED_MS)

test('a client that disconnects while a connection opens takes no connection from the pool', async () => {
  await using pool = await openPool()
  pool.link.stall()
  const abandoned = disconnecting(pool.client, 'select 1')
  await untilDisconnected()
  pool.link.open()
  expect(await answerOf(pool.client, 'b')).toBe(1)
  await abandoned
})

test('a client that disconnects while its statement waits behind another gives its share back', async () => {
  await using pool = await openPool()
  const before = pool.client.unsafe('select pg_sleep(60)').catch((error: unknown) => error)
  const abandoned = disconnecting(pool.client, 'select 2')
  await untilDisconnected()
  cutOnce(pool.link)
  expect(await before).toMatchObject({ code: 'CONNECTION_CLOSED' })
  await abandoned
  expect(await answerOf(pool.client, 'b')).toBe(1)
})

const cutOnce = (link: Link): void => {
  link.cut()
  link.open()
}
