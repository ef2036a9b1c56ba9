import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createActivityFeed } from '../../server/account/activity/feed.ts'
import {
  ACTIVITY_CHANNEL,
  insertActivity,
  type NewActivity,
} from '../../server/account/activity/store.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'

setDefaultTimeout(60_000)

let place: TestDatabase
let server: TestServer
let database: Database
let user: TestUser
beforeAll(async () => {
  place = await createDatabase()
  server = await startServer({}, place)
  database = await openPostgres(place.env.SVC_DATABASE_URL)
  user = await newUser(server)
  // The tests begin after the events of signing up.
  await eventually(async () => {
    const options = { token: user.key }
    const { body } = await request(server, 'GET', '/api/events?kind=key.', options)
    return body.events.length === 1
  })
})
afterAll(async () => {
  await server.stop()
  await database.close()
  await place.drop()
})

const eventNamed = (question: string): NewActivity => ({
  ownerId: user.id,
  userId: user.id,
  keyId: null,
  kind: 'recall',
  client: null,
  session: null,
  question,
  subject: null,
  peerId: null,
  count: 0,
  memories: [],
  tookMs: null,
  createdAt: new Date().toISOString(),
})

test('an event that is stored while a stream begins is not missed', async () => {
  const noticed = Promise.withResolvers<void>()
  await using _ = await database.listen(ACTIVITY_CHANNEL, (owners) => {
    if (owners === user.id) noticed.resolve()
  })
  /** The event follows the read of the latest one, and its notification is there first. */
  const query: Database['query'] = async <T>(text: string, params: unknown[]) => {
    const rows = await database.query<T>(text, params)
    if (text.includes('max(id)')) {
      await insertActivity(database.query, [eventNamed('First')])
      await noticed.promise
    }
    return rows
  }
  const after = await createActivityFeed(database).latest()
  const feed = createActivityFeed({ query, listen: database.listen })
  const { signal } = new AbortController()
  for await (const rows of feed.follow(user.id, after, { signal, idleMs: 2_000 })) {
    expect(rows).toHaveLength(1)
    break
  }
  await feed.close()
})

test('an event whose commit takes longer than that of a later one is not missed', async () => {
  const feed = createActivityFeed(database)
  const { signal } = new AbortController()
  const after = await feed.latest()
  const questions: (string | null)[] = []
  const reading = (async () => {
    for await (const rows of feed.follow(user.id, after, { signal, idleMs: 5_000 })) {
      questions.push(...rows.map(({ question }) => question))
      if (questions.length === 2 || rows.length === 0) return
    }
  })()
  let isSecondStored = false
  let second: Promise<void> | undefined
  await database.transaction(async (query) => {
    await insertActivity(query, [eventNamed('Slow')])
    second = insertActivity(database.query, [eventNamed('Fast')]).then(() => {
      isSecondStored = true
    })
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event = 'advisory'`
    const isBlocked = async () => (await database.background.query(waiting, [])).length > 0
    await eventually(async () => isSecondStored || isBlocked())
  })
  await second
  await reading
  expect(questions).toEqual(['Slow', 'Fast'])
  await feed.close()
})
