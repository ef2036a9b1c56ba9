import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import {
  createReflex,
  createSenseDevice,
  listFirings,
  listSignals,
  remember,
  sendSignal,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { startDatabaseProxy } from '../harness/database-proxy.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { at } from '../system/support.ts'
import { type Member, SHARED, startMember } from './support.ts'

setDefaultTimeout(60_000)

let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
/** Connected through the proxy, and frozen by the tests. */
let frozen: Member
let healthy: TestServer
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  database = await createDatabase()
  stack.defer(database.drop)
  proxy = stack.use(await startDatabaseProxy(database.env.SVC_DATABASE_URL))
  healthy = stack.use(await startServer({ ...SHARED, SVC_ROLE: 'web' }, database))
  const env = { ...database.env, ...SHARED, SVC_DATABASE_URL: proxy.url }
  frozen = stack.use(await startMember('web', env))
  stack.use(await startMember('worker', { ...database.env, ...SHARED }))
}, 60_000)
afterAll(() => stack.disposeAsync())

const verified = async (): Promise<TestUser> => {
  const user = await newUser(healthy)
  await runSql(database, `update users set email_verified = true where id = '${user.id}'`)
  return user
}

const newDevice = async ({ client }: TestUser): Promise<string> =>
  (await client.call(createSenseDevice, { body: { device_name: 'Boiler' } })).device_id

const signal = ({ client }: TestUser, device_id: string, value: number) =>
  client.call(sendSignal, { params: { device_id }, body: { signal_type: 'number', value } })

/** Freezes the process when it has sent a statement with `text`. `answer` is that of its request. */
const freezeIn = async (text: string, send: () => Promise<unknown>) => {
  const held = proxy.holdAfter(text)
  const answer = send().catch((error: unknown) => error)
  await Promise.race([held, answer.then((result) => Promise.reject(new Error(String(result))))])
  frozen.signal('SIGSTOP')
  return { answer }
}

test('signals and other requests are answered while a process is frozen with the locks of a signal, and each acknowledged one fires once', async () => {
  const user = await verified()
  const others = await Promise.all(Array.from({ length: 5 }, verified))
  const device = await newDevice(user)
  const { reflex_id } = await user.client.call(createReflex, {
    body: {
      name: 'Watch',
      trigger: { type: 'signal' },
      action: { type: 'notify', channel: 'inbox', text: 'It was measured' },
    },
  })
  const before = await signal(user, device, 0)
  const locking = 'update "reflexes" set "hour_began"'
  const { answer } = await freezeIn(locking, () => signal(at(user, frozen.url), device, 1))
  expect(await statesAfter(locking)).toEqual(['idle in transaction'])
  // More than the connections of the healthy process.
  const values = Array.from({ length: 12 }, (_, n) => n + 2)
  const sent = values.map((value) => signal(user, device, value))
  const remembered = others.map(({ client }) =>
    client.call(remember, { body: { content: 'A note' } }),
  )
  const acknowledged = [before, ...(await Promise.all(sent))]
  expect(await Promise.all(remembered)).toHaveLength(others.length)
  expect((await request(healthy, 'GET', '/api/ready')).status).toBe(200)

  frozen.signal('SIGCONT')
  expect(String(await answer)).toContain('The database is not available')
  acknowledged.push(await signal(at(user, frozen.url), device, 99))
  const stored = await user.client.call(listSignals, {
    params: { device_id: device },
    query: { limit: 100 },
  })
  expect(stored.map(({ signal_id }) => signal_id).toSorted()).toEqual(
    acknowledged.map(({ signal_id }) => signal_id).toSorted(),
  )
  const firings = await eventually(async () => {
    const found = await user.client.call(listFirings, { params: { reflex_id } })
    return found.every(({ state }) => state === 'done') && found
  })
  expect(firings).toHaveLength(acknowledged.length)
})

/** The states of the sessions of the frozen process that have run a statement with `text` last. */
const statesAfter = async (text: string) => {
  const rows = await eventually(async () => {
    const found = await runSql(
      database,
      `select state from pg_stat_activity
      where client_port in (${proxy.ports()}) and query like '${text}%' and state <> 'active'`,
    )
    return found.length > 0 && found
  })
  return rows.map(({ state }) => state)
}

test('a process that is frozen while it writes a signal that fires nothing has no open transaction', async () => {
  const user = await verified()
  const device = await newDevice(user)
  const there = at(user, frozen.url)
  for (const text of ['insert into "sense_signals"', 'update "sense_devices"']) {
    const { answer } = await freezeIn(text, () => signal(there, device, 1))
    expect(await statesAfter(text)).toEqual(['idle'])
    frozen.signal('SIGCONT')
    // The proxy still holds the connection.
    await runSql(
      database,
      `select pg_terminate_backend(pid) from pg_stat_activity
      where client_port in (${proxy.ports()}) and query like '${text}%'`,
    )
    await answer
    await eventually(() => signal(there, device, 3).catch(() => false))
  }
})

/** Runs a statement in a transaction that stays open until `release`. */
const holdLocks = async (statement: string) => {
  const sql = postgres(database.env.SVC_DATABASE_URL, { max: 1 })
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const transaction = sql.begin(async (tx) => {
    await tx.unsafe(statement)
    locked.resolve()
    await released.promise
  })
  await Promise.race([locked.promise, transaction])
  return {
    async [Symbol.asyncDispose]() {
      released.resolve()
      await transaction
      await sql.end()
    },
  }
}

test('a request that waits too long for a lock gets a 503 with Retry-After', async () => {
  const user = await verified()
  const { memory_id } = await user.client.call(remember, { body: { content: 'A note' } })
  await using _ = await holdLocks(
    `select from memories where memory_id = '${memory_id}' for update`,
  )
  const { status, headers, body } = await request(healthy, 'PATCH', `/api/memories/${memory_id}`, {
    token: user.key,
    body: { content: 'Another note' },
  })
  expect([status, headers.get('retry-after'), body]).toEqual([
    503,
    '1',
    { detail: 'Another request is changing the same data; try again' },
  ])
})
