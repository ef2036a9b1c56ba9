import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { healthDetail, listMemories, me, remember } from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import {
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'

setDefaultTimeout(120_000)

/** Of which writes hold at most three, and one account at most two. */
const PLACES = 4
const WRITES = 12
const RUNNING = 3
const METRICS_TOKEN = 'a-metrics-token-of-32-characters'
/** For a test in which no request may be refused, however slow the machine is. */
const PATIENT_MS = 600_000

let database: TestDatabase
let blocker: postgres.Sql

beforeEach(async () => {
  database = await createDatabase()
  blocker = postgres(database.env.SVC_DATABASE_URL, { max: 1, onnotice: () => {} })
})
afterEach(async () => {
  await blocker.end()
  await database.drop()
})

const start = (patienceMs: number) =>
  startServer({ SVC_METRICS_TOKEN: METRICS_TOKEN }, database, {
    admission: { places: PLACES, patienceMs },
  })

/** Blocks the writes of memories until `release`, in a transaction of another session. */
const block = async () => {
  await blocker.unsafe('begin')
  await blocker.unsafe('lock table memories in share mode')
}
const release = () => blocker.unsafe('rollback')

const write = (server: TestServer, { key }: TestUser, content: string) =>
  request(server, 'POST', remember.path, { token: key, body: { content } })

/** Sends writes of some users, until those that have no place wait. */
const sendWrites = (server: TestServer, users: readonly TestUser[]) =>
  Array.from({ length: WRITES }, (_, n) =>
    write(server, users[n % users.length] as TestUser, `No. ${n}`),
  )

const contentsOf = async (users: readonly TestUser[]): Promise<string[]> => {
  const lists = await Promise.all(users.map(({ client }) => client.call(listMemories)))
  return lists.flatMap(({ memories }) => memories.map(({ content_text }) => content_text)).sort()
}

const note = async ({ url }: TestServer): Promise<string | undefined> => {
  const response = await fetch(new URL(healthDetail.path, url))
  const body = (await response.json()) as { parts?: Record<string, { note?: string }> }
  return body.parts?.requests?.note
}

test('while writes are blocked, those that wait for too long are refused, and the rest of the server answers', async () => {
  await using server = await start(300)
  const users = [await newUser(server), await newUser(server), await newUser(server)]
  const other = await newUser(server)
  await block()
  const refused: Awaited<ReturnType<typeof write>>[] = []
  const writes = sendWrites(server, users).map(async (sent) => {
    const response = await sent
    if (response.status === 503) refused.push(response)
    return response
  })
  await eventually(() => refused.length === WRITES - RUNNING)
  for (const { headers, body } of refused)
    expect([headers.get('retry-after'), body]).toEqual([
      '2',
      { detail: 'The server has more requests than it can answer; try again' },
    ])

  expect((await request(server, 'GET', '/api/ready')).status).toBe(200)
  const credentials = { email: other.email, password: PASSWORD }
  expect((await request(server, 'POST', '/api/auth/signin', { body: credentials })).status).toBe(
    200,
  )
  await other.client.call(me)
  expect(await note(server)).toEndWith(`${WRITES - RUNNING} refused since the start`)
  const { text } = await request(server, 'GET', '/metrics', { token: METRICS_TOKEN })
  expect(text).toContain(`svc_http_refused_requests_total{queue="write"} ${WRITES - RUNNING}`)

  await release()
  const acknowledged = (await Promise.all(writes)).filter(({ status }) => status === 201)
  expect(acknowledged.length).toBe(RUNNING)
  expect(await contentsOf(users)).toEqual(
    acknowledged.map(({ body }) => (body as { content_text: string }).content_text).sort(),
  )
  expect((await write(server, other, 'Afterwards.')).status).toBe(201)
})

test('a single stall of the database refuses no request', async () => {
  await using server = await start(PATIENT_MS)
  const users = [await newUser(server), await newUser(server), await newUser(server)]
  await block()
  const writes = sendWrites(server, users)
  await eventually(async () => (await note(server))?.startsWith(`${WRITES - RUNNING} waiting`))
  await release()
  const statuses = (await Promise.all(writes)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([201]))
  expect((await contentsOf(users)).length).toBe(WRITES)
})

test('a write whose client disconnects while it waits is not done', async () => {
  await using server = await start(PATIENT_MS)
  const users = [await newUser(server), await newUser(server), await newUser(server)]
  await block()
  const writes = sendWrites(server, users)
  const client = new AbortController()
  const left = fetch(new URL(remember.path, server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${users[0]?.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'Left.' }),
    signal: client.signal,
  }).catch(() => undefined)
  await eventually(async () => (await note(server))?.startsWith(`${WRITES - RUNNING + 1} waiting`))
  client.abort()
  await left
  await eventually(async () => (await note(server))?.startsWith(`${WRITES - RUNNING} waiting`))
  await release()
  await Promise.all(writes)
  expect(await contentsOf(users)).not.toContain('Left.')
})
