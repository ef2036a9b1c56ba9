import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { clientDisconnected } from '../../server/platform/http/disconnect.ts'
import { createLog } from '../../server/platform/log.ts'
import { runRequest } from '../../server/platform/request-scope.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type Link, startDatabaseLink } from '../harness/link.ts'
import { startReplicated } from '../harness/replica.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { SHARED, startMember } from '../scale/support.ts'
import { runSql } from '../system/support.ts'

setDefaultTimeout(180_000)

const METRICS_TOKEN = 'a-metrics-token-of-32-characters'

const opened = new AsyncDisposableStack()
let postgres: Awaited<ReturnType<typeof startReplicated>>
let link: Link
let first: TestServer
/** The first one runs in this process. */
let servers: { url: string }[]
let readUrl: string
beforeAll(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'svc-test-replica-'))
  opened.defer(() => rmSync(directory, { recursive: true }))
  postgres = opened.use(await startReplicated(directory))
  const replica = opened.use(await startDatabaseLink(postgres.replicaUrl))
  link = replica
  readUrl = replica.url
  const env = { ...SHARED, SVC_DATA_DIR: join(directory, 'data'), SVC_DATABASE_URL: postgres.url }
  const more = { SVC_DATABASE_READ_URL: readUrl, SVC_METRICS_TOKEN: METRICS_TOKEN }
  const database = { env, dropDatabase: async () => {}, drop: async () => {} }
  first = opened.use(await startServer(more, database))
  // Without SMTP an email is printed by the process that sends it, and tests read those of the first.
  const second = opened.use(await startMember('web', { ...env, ...more }))
  servers = [first, second]
  await untilReplica(/^in use/)
})
afterAll(() => opened.disposeAsync())

const serverOf = (n: number) => servers[n % servers.length] as { url: string }

const healthOf = async (server: { url: string }) => {
  const { body } = await request(server, 'GET', '/api/health/detail')
  return (body.parts ?? body.detail.parts).read_replica
}

/** Waits until all servers report this state of the replica. */
const untilReplica = async (state: RegExp) => {
  for (const server of servers)
    await eventually(async () => state.test((await healthOf(server)).note))
}

const metric = async (server: { url: string }, name: string) => {
  const { text } = await request(server, 'GET', '/metrics', { token: METRICS_TOKEN })
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

const readsOf = async (by: 'replica' | 'primary') => {
  const counts = servers.map((each) =>
    metric(each, `svc_read_replica_recalls_total{server="${by}"}`),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

type Caller = Pick<TestUser, 'key'>

const send = (n: number, method: string, path: string, { key }: Caller, body?: object, org = '') =>
  request(serverOf(n), method, path, {
    token: key,
    ...(body && { body }),
    headers: org ? { 'x-org-id': org } : {},
  })

const write = async (n: number, user: Caller, content: string, org?: string): Promise<string> => {
  const { status, body } = await send(n, 'POST', '/api/remember', user, { content }, org)
  if (status !== 201) throw new Error(`not written: ${status} ${JSON.stringify(body)}`)
  return body.memory_id
}

const recallTexts = async (
  n: number,
  user: Caller,
  query: string,
  org?: string,
): Promise<string[]> => {
  const { status, body } = await send(n, 'POST', '/api/recall', user, { query }, org)
  if (status !== 200) throw new Error(`not recalled: ${status} ${JSON.stringify(body)}`)
  return body.memories.map((each: { content_text: string }) => each.content_text)
}

test('recall reads from the replica, and finds each write of the other server', async () => {
  const user = await newVerifiedUser(first)
  const before = await readsOf('replica')
  for (let i = 0; i < 10 || (await readsOf('replica')) < before + 5; i++) {
    const text = `Locker ${i} is in the harbour.`
    await write(i, user, text)
    expect(await recallTexts(i + 1, user, `Where is locker ${i}?`)).toContain(text)
  }
  // The last statement of a connection is that of a recall, unless the position was read after it.
  const recalls = `select from pg_stat_activity
    where application_name = 'svc reads' and query like '%memor%'`
  while ((await runSql(postgres.replicaUrl, recalls)).length === 0)
    await recallTexts(0, user, 'Where is locker 1?')
})

test('while replay is paused, recall finds writes of every member and no deleted memory', async () => {
  const { createOrg, join } = createOrgClient({ current: first })
  const owner = await newVerifiedUser(first)
  const org = await createOrg(owner)
  const member = await join(owner, org)
  const other = await request(first, 'POST', '/api/auth/api-keys', {
    token: owner.accessToken,
    body: { name: 'other' },
  })
  const deleted = await write(0, owner, 'The old violin is in the cellar.')
  await untilReplica(/^in use/)
  await runSql(postgres.replicaUrl, 'select pg_wal_replay_pause()')
  for (let i = 0; i < 3; i++) {
    await write(i, owner, `The violin ${i} is in the attic.`)
    const found = await recallTexts(i + 1, { key: other.body.key }, 'Where is the violin?')
    expect(found).toContain(`The violin ${i} is in the attic.`)
    await write(i, member, `The team meets in room ${i}.`, org.id)
    const shared = await recallTexts(i + 1, owner, 'Where does the team meet?', org.id)
    expect(shared).toContain(`The team meets in room ${i}.`)
  }
  expect((await send(0, 'DELETE', `/api/memories/${deleted}`, owner)).status).toBeLessThan(300)
  expect(await recallTexts(1, owner, 'Where is the old violin?')).not.toContain(
    'The old violin is in the cellar.',
  )
  await untilReplica(/^behind, \d+ bytes/)
  expect((await healthOf(first)).state).toBe('ok')
  expect(await metric(first, 'svc_read_replica_up')).toBe(0)
  expect(await metric(first, 'svc_read_replica_lag_bytes')).toBeGreaterThan(0)

  await runSql(postgres.replicaUrl, 'select pg_wal_replay_resume()')
  await untilReplica(/^in use/)
  const before = await readsOf('replica')
  while ((await readsOf('replica')) === before)
    expect(await recallTexts(1, owner, 'Where is the old violin?')).not.toContain(
      'The old violin is in the cellar.',
    )
  await eventually(async () => (await metric(first, 'svc_read_replica_up')) === 1)
})

test('a statement that fails on the replica is run on the primary', async () => {
  const log = createLog('silent')
  const database = await openPostgres(postgres.url, undefined, { url: readUrl, log })
  try {
    const read = (text: string) =>
      database.reads.run(async () => (await database.reads.query(text, []))[0]?.value)
    await eventually(() => read('select pg_is_in_recovery() as value'))
    // Refused on a replica.
    expect(await read('select pg_current_xact_id()::text as value')).toMatch(/^\d+$/)
    expect(await read('select pg_is_in_recovery() as value')).toBe(true)
    // As at the end of a conflict with the replay, or at a shutdown.
    const ending = `select case when pg_is_in_recovery() then pg_terminate_backend(pg_backend_pid()) end as value`
    expect(await read(ending)).toBeNull()
    await eventually(() => read('select pg_is_in_recovery() as value'))
    expect(await database.reads.query('select pg_is_in_recovery() as value', [])).toEqual([
      { value: false },
    ])
  } finally {
    await database.close()
  }
})

test('the replica stays in use when a client disconnects during a statement on it', async () => {
  const log = createLog('silent')
  const database = await openPostgres(postgres.url, undefined, { url: readUrl, log })
  try {
    const isOnReplica = async () => {
      const [row] = await database.reads.run(() =>
        database.reads.query<{ value: boolean }>('select pg_is_in_recovery() as value', []),
      )
      return row?.value
    }
    await eventually(isOnReplica)
    const disconnected = new AbortController()
    disconnected.abort(clientDisconnected())
    const scope = { client: disconnected, isRead: true, account: 'a' }
    // On the primary it does not sleep.
    const slow = 'select case when pg_is_in_recovery() then pg_sleep(1.5) end'
    await runRequest(scope, () => database.reads.run(() => database.reads.query(slow, [])))
    expect(await isOnReplica()).toBe(true)
  } finally {
    await database.close()
  }
})

test('health reports a replica that stopped or hangs, and its return, although nothing recalls', async () => {
  await untilReplica(/^in use/)
  await postgres.stopReplica()
  for (const server of servers) expect((await healthOf(server)).state).toBe('down')
  await untilReplica(/^unreachable/)
  await postgres.startReplica()
  await untilReplica(/^in use/)
  link.stall()
  for (const server of servers)
    expect(await healthOf(server)).toMatchObject({ state: 'down', note: 'unreachable' })
  link.open()
  await untilReplica(/^in use/)
})

test('no request fails and no read is stale while the replica stops, hangs and returns', async () => {
  const users = await Promise.all(Array.from({ length: 5 }, () => newVerifiedUser(first)))
  let isOver = false
  let rounds = 0
  const worker = async (user: TestUser, name: number) => {
    let last: string | undefined
    for (let i = 0; !isOver; i++, rounds++) {
      const text = `Parcel ${name}-${i} is in shelf ${i}.`
      const query = `Where is parcel ${name}-${i}?`
      const id = await write(i, user, text)
      if (!(await recallTexts(i + 1, user, query)).includes(text)) throw new Error(`stale: ${text}`)
      if (last) await send(i, 'DELETE', `/api/memories/${last}`, user)
      if (
        last &&
        (await recallTexts(i, user, query)).some((each) => each.endsWith(`shelf ${i - 1}.`))
      )
        throw new Error(`recalled after its deletion: ${i - 1}`)
      last = id
      // About 50 requests per second.
      await Bun.sleep(250)
    }
  }
  const working = Promise.all(users.map(worker))
  const during = async () => {
    const until = rounds + 2 * users.length
    while (rounds < until) await Promise.race([Bun.sleep(20), working])
  }
  const untilState = (state: RegExp) => Promise.race([untilReplica(state), working])
  const before = await readsOf('replica')
  await during()
  await postgres.stopReplica()
  await untilState(/^unreachable/)
  expect((await healthOf(first)).state).toBe('down')
  await during()
  await postgres.startReplica()
  await untilState(/^(in use|behind)/)
  await during()
  link.stall()
  await untilState(/^unreachable/)
  await during()
  link.open()
  await untilState(/^(in use|behind)/)
  await during()
  isOver = true
  await working
  await untilReplica(/^in use/)
  expect(await readsOf('replica')).toBeGreaterThan(before)
})

test('a replica that was promoted is not read', async () => {
  const user = await newVerifiedUser(first)
  await runSql(postgres.replicaUrl, 'select pg_promote()')
  for (let i = 0; i < 4; i++) {
    await write(i, user, `The anchor ${i} is on deck.`)
    expect(await recallTexts(i + 1, user, 'Where is the anchor?')).toContain(
      `The anchor ${i} is on deck.`,
    )
  }
  await untilReplica(/^not a replica/)
})
