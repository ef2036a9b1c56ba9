import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import type { ActivityEvent } from '../../shared/contract/activity.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { postgresPid } from '../embedded/support.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { dmUserOf, send as sendMessage, threadOf } from '../people/dm-support.ts'
import { follow, isOfAccount } from './activity-stream.ts'
import { preparedPlace, runSql } from './support.ts'

setDefaultTimeout(120_000)

let database: TestDatabase
let server: TestServer
/** Another server on the same database. */
let other: TestServer
beforeAll(async () => {
  database = await createDatabase()
  server = await startServer({}, database)
  other = await startServer({}, database)
})
afterAll(async () => {
  await Promise.all([server.stop(), other.stop()])
  await database.drop()
})

const send = (
  user: Pick<TestUser, 'key'>,
  method: string,
  path: string,
  body?: unknown,
  on = server,
) => request(on, method, path, { token: user.key, ...(body !== undefined && { body }) })

const listed = async (user: Pick<TestUser, 'key'>, query = ''): Promise<ActivityEvent[]> =>
  (await send(user, 'GET', `/api/events?limit=100${query}`)).body.events.filter(
    (event: ActivityEvent) => !isOfAccount(event),
  )

/** Waits until a user has so many events. @returns them, the oldest first. */
const untilListed = async (user: Pick<TestUser, 'key'>, count: number): Promise<ActivityEvent[]> =>
  eventually(async () => {
    const events = await listed(user)
    return events.length >= count && events.toReversed()
  })

/** Verified in the database: either server may be the one that delivers the mail with the link. */
const verifiedUser = async (): Promise<TestUser> => {
  const user = await newUser(server)
  await runSql(
    database.env.SVC_DATABASE_URL,
    `update users set email_verified = true where id = '${user.id}'`,
  )
  return user
}

const remember = async (user: TestUser, content: string, more = {}): Promise<string> =>
  (await send(user, 'POST', '/api/remember', { content, ...more })).body.memory_id

const idsOf = (events: readonly { id: string }[]) => events.map(({ id }) => Number(id))

test('each read and write is an event, with who did it and the memories', async () => {
  const user = await newUser(server)
  const tea = await remember(user, 'Ada drinks green tea.')
  await send(user, 'POST', '/api/remember', { content: 'Ada drinks green tea.' })
  await send(user, 'POST', '/api/recall', { query: 'What does Ada drink?' })
  const coffee = await remember(user, 'Ada drinks coffee now.', { supersedes: tea })
  await send(user, 'PATCH', `/api/memories/${coffee}`, { tags: ['drinks'] })
  await send(user, 'POST', '/api/context', {
    query: 'What does Ada drink?',
    session: 's1',
    thread: 'codex:s1',
  })
  await send(user, 'DELETE', `/api/memories/${coffee}`)
  await send(user, 'POST', `/api/memories/${coffee}/restore`)
  await send(user, 'DELETE', `/api/memories/${coffee}?permanent=true`)
  const turn = { turn: '1', role: 'user', content: 'We deploy to Hetzner.' }
  const captured = { client: 'codex', session: 's1', channel: 'hook', messages: [turn] }
  await send(user, 'POST', '/api/captures', captured)
  await send(user, 'POST', '/api/captures', captured)
  await send(user, 'DELETE', '/api/captures?client=codex&session=s1')
  await send(user, 'POST', '/api/captures/restore', { client: 'codex', session: 's1' })
  await request(server, 'POST', '/api/memories/import', {
    token: user.key,
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify({ content_text: 'Ada lives in Porto.' })}\n`,
  })
  const events = await untilListed(user, 13)
  expect(events.map(({ kind, count }) => `${kind} ${count}`)).toEqual([
    'memory.stored 1',
    'recall 1',
    'memory.stored 1',
    'memory.superseded 1',
    'memory.changed 1',
    'context 1',
    'memory.forgotten 1',
    'memory.restored 1',
    'memory.erased 1',
    'conversation.captured 1',
    'conversation.forgotten 1',
    'conversation.restored 1',
    'import.finished 1',
  ])
  const [stored, recalled, , superseded, , context] = events
  expect(stored).toMatchObject({
    user_id: user.id,
    key_id: user.keyId,
    client: 'test',
    session: null,
  })
  expect(stored?.memories).toEqual([{ memory_id: tea, excerpt: 'Ada drinks green tea.' }])
  expect(recalled).toMatchObject({ question: 'What does Ada drink?', client: 'test' })
  expect(recalled?.memories).toEqual([
    { memory_id: tea, score: expect.any(Number), excerpt: 'Ada drinks green tea.' },
  ])
  expect(superseded?.memories[0]?.memory_id).toBe(tea)
  expect(context).toMatchObject({
    client: 'codex',
    session: 's1',
    question: 'What does Ada drink?',
  })
  // The text of an erased memory is nowhere.
  expect(context?.memories).toEqual([
    { memory_id: coffee, score: expect.any(Number), excerpt: null },
  ])
})

test('an event has all its memories, with the explanation of each score at that time', async () => {
  const user = await newUser(server)
  for (const city of ['Porto', 'Lisbon', 'Faro', 'Braga'])
    await remember(user, `Ada has a friend in ${city}.`)
  const { body: found } = await send(user, 'POST', '/api/recall', {
    query: 'Where has Ada a friend?',
    explain: true,
  })
  const event = (await untilListed(user, 5)).at(-1)
  expect(event).toMatchObject({ kind: 'recall', count: 4 })
  expect(event?.memories).toHaveLength(3)
  const detail = await send(user, 'GET', `/api/events/${event?.id}`)
  expect(detail.body.memories.map(({ memory, ...rest }: { memory: object }) => rest)).toEqual(
    found.memories.map(
      ({
        memory_id,
        score,
        explanation,
      }: Record<'memory_id' | 'score' | 'explanation', unknown>) => ({
        memory_id,
        score,
        explanation,
        feedback_id: null,
      }),
    ),
  )
  expect(detail.body.memories[0].memory.content_text).toBe(found.memories[0].content_text)
})

test('filters and pages select events', async () => {
  const user = await newUser(server)
  // Without a fact, which would be an event among these.
  const first = await remember(user, 'The harbour is grey.')
  await send(user, 'POST', '/api/recall', { query: 'Which colour has the harbour?' })
  await send(user, 'POST', '/api/context', { query: 'Where?', session: 's2', thread: 'kiro:s2' })
  await send(user, 'DELETE', `/api/memories/${first}`)
  await untilListed(user, 4)
  const kinds = async (query: string) => (await listed(user, query)).map(({ kind }) => kind)
  expect(await kinds('&kind=memory.')).toEqual(['memory.forgotten', 'memory.stored'])
  expect(await kinds('&kind=recall')).toEqual(['recall'])
  expect(await kinds('&client=kiro')).toEqual(['context'])
  expect(await kinds('&session=s2')).toEqual(['context'])
  expect(await kinds('&since=2100-01-01')).toEqual([])
  expect(await kinds('&until=2100-01-01')).toHaveLength(4)
  const page = await send(user, 'GET', '/api/events?limit=3')
  expect(page.body.events).toHaveLength(3)
  const rest = await send(user, 'GET', `/api/events?limit=9&before=${page.body.next_cursor}`)
  expect(rest.body.events.map(({ kind }: ActivityEvent) => kind)).toEqual([
    'memory.stored',
    'key.created',
    'session.started',
    'account.changed',
  ])
  expect(rest.body.next_cursor).toBeNull()
  for (const query of ['before=-1', 'before=x', 'kind=%25', 'limit=0', 'since=x', 'after=1e3'])
    expect((await send(user, 'GET', `/api/events?${query}`)).status).toBe(422)
})

test('the events of a user are shown to that user only', async () => {
  const [ada, eve] = [await newUser(server), await newUser(server)]
  await using stream = await follow(eve, server, '0')
  await remember(ada, 'A secret of Ada.')
  const [event] = await untilListed(ada, 1)
  await remember(eve, 'A note of Eve.')
  await eventually(() => stream.events.length > 0)
  expect(stream.events.map(({ user_id }) => user_id)).toEqual([eve.id])
  expect((await listed(eve)).map(({ user_id }) => user_id)).toEqual([eve.id])
  expect((await send(eve, 'GET', `/api/events/${event?.id}`)).status).toBe(404)
  expect((await request(server, 'GET', '/api/events')).status).toBe(401)
})

test('members of an organization see what was recalled, but not what another asked', async () => {
  const orgs = createOrgClient({ current: server })
  const owner = await verifiedUser()
  const org = await orgs.createOrg(owner)
  const member = await orgs.join(owner, org)
  const inOrg = { 'x-org-id': org.id }
  const as = (user: TestUser, method: string, path: string, body?: unknown) =>
    request(server, method, path, {
      token: user.accessToken,
      headers: inOrg,
      ...(body !== undefined && { body }),
    })
  await as(owner, 'POST', '/api/remember', { content: 'The office is in Porto.' })
  await as(member, 'POST', '/api/recall', { query: 'Where is the office?' })
  const recallsOf = async (user: TestUser): Promise<ActivityEvent[]> =>
    (await as(user, 'GET', '/api/events?kind=recall')).body.events
  const [own] = await eventually(async () => {
    const events = await recallsOf(member)
    return events.length && events
  })
  expect(own).toMatchObject({ question: 'Where is the office?', user_id: member.id, count: 1 })
  expect(await recallsOf(owner)).toMatchObject([{ question: null, user_id: member.id, count: 1 }])
  expect(await listed(owner)).toEqual([])
})

test('a stream has the events of all servers, each once and in order, also after a reconnect', async () => {
  const user = await newUser(server)
  const whole = await follow(user, other, '0')
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let index = 0; index < 25; index++) {
      const content = `Note ${index} of writer ${writer}.`
      const on = writer % 2 ? server : other
      expect((await send(user, 'POST', '/api/remember', { content }, on)).status).toBe(201)
    }
  })
  // This one is cut after each event.
  const pieces: ActivityEvent[] = []
  const read = async (): Promise<void> => {
    while (pieces.length < 200) {
      await using piece = await follow(user, server, pieces.at(-1)?.id ?? '0')
      await eventually(() => piece.events.length > 0)
      pieces.push(...piece.events)
    }
  }
  await Promise.all([read(), ...writers])
  await eventually(() => whole.events.length >= 200)
  await whole[Symbol.asyncDispose]()
  const ids = idsOf((await listPages(user)).toReversed())
  expect(ids).toHaveLength(200)
  expect(idsOf(whole.events)).toEqual(ids)
  expect(idsOf(pieces)).toEqual(ids)
})

const listPages = async (user: TestUser): Promise<ActivityEvent[]> => {
  const events: ActivityEvent[] = []
  for (let before: string | null = '999999999'; before; ) {
    const { body } = await send(user, 'GET', `/api/events?limit=100&before=${before}`)
    events.push(...body.events.filter((event: ActivityEvent) => !isOfAccount(event)))
    before = body.next_cursor
  }
  return events
}

test('a header resumes a stream, and one after the latest event begins with the next', async () => {
  const user = await newUser(server)
  await remember(user, 'The first note.')
  const [first] = await untilListed(user, 1)
  await remember(user, 'The second note.')
  await untilListed(user, 2)
  const response = await fetch(new URL('/api/events', server.url), {
    headers: {
      authorization: `Bearer ${user.key}`,
      accept: 'text/event-stream',
      'last-event-id': first?.id ?? '',
    },
  })
  const reader = response.body?.getReader()
  let text = ''
  while (!text.includes('The second note.'))
    text += new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  expect(text).not.toContain('The first note.')
  expect(text).toMatch(/^event: ready\nid: \d+\n/)

  await using ahead = await follow(user, server, '999999999999')
  await remember(user, 'The third note.')
  await eventually(() => ahead.events.length > 0)
  expect(ahead.events.map(({ memories }) => memories[0]?.excerpt)).toEqual(['The third note.'])
})

test('a stream ends with its credential', async () => {
  const user = await newUser(server)
  await using stream = await follow(user, other)
  await request(server, 'DELETE', `/api/auth/api-keys/${user.keyId}`, { token: user.accessToken })
  await eventually(async () => {
    await request(server, 'POST', '/api/remember', {
      token: user.accessToken,
      body: { content: `After the end: ${crypto.randomUUID()}` },
    })
    return stream.error()
  })
  await stream.done
  expect(stream.error()).toBe('Invalid API key')
})

test('a stream of a default organization ends with the membership, and shows nothing after it', async () => {
  const { call, createOrg, join } = createOrgClient({ current: server })
  const owner = await verifiedUser()
  const org = await createOrg(owner)
  const ben = await join(owner, org)
  await call(ben, 'POST', `orgs/${org.id}/activate`)
  await using stream = await follow({ key: ben.accessToken }, server)
  const inOrg = { headers: { 'x-org-id': org.id } }
  const write = () =>
    call(owner, 'POST', 'remember', { content: `Of the team: ${crypto.randomUUID()}` }, inOrg)
  await write()
  await eventually(() => stream.events.length === 1)
  await call(owner, 'DELETE', `orgs/${org.id}/members/${ben.id}`)
  await eventually(async () => {
    await write()
    return stream.error()
  })
  await stream.done
  expect(stream.error()).toContain('you are no longer its member')
})

test('a stream ends when its server stops, and is resumed at the next without a loss', async () => {
  const user = await newUser(server)
  const third = await startServer({}, database)
  const stream = await follow(user, third, '0')
  const write = async (content: string) => send(user, 'POST', '/api/remember', { content }, third)
  await write('Before the stop.')
  await eventually(() => stream.events.length > 0)
  await write('While it stops.')
  await third.stop()
  await stream.done
  expect(stream.error()).toBe('The server is stopping; try again')
  await using resumed = await follow(user, server, stream.events.at(-1)?.id)
  const all = () => [...stream.events, ...resumed.events]
  await eventually(() => all().length >= 2)
  expect(all().map(({ memories }) => memories[0]?.excerpt)).toEqual([
    'Before the stop.',
    'While it stops.',
  ])
})

test('a stream survives the kill of PostgreSQL, or is resumed without a loss', async () => {
  const place = await preparedPlace()
  await using embedded = spawnServer({ ...place })
  const url = await embedded.url
  const user = await newUser({ url })
  const write = (content: string) =>
    request({ url }, 'POST', '/api/remember', { token: user.key, body: { content } })
  const stream = await follow(user, { url }, '0')
  await write('Before the crash.')
  await eventually(() => stream.events.length === 1)
  process.kill(postgresPid(place.SVC_DATA_DIR), 'SIGKILL')
  // A write that is not answered may have happened; its repetition would be no event.
  const content = await eventually(async () => {
    const attempt = `After the crash: ${crypto.randomUUID()}`
    return (await write(attempt)).status === 201 && attempt
  })
  const excerptsOf = (events: ActivityEvent[]) => events.map(({ memories }) => memories[0]?.excerpt)
  // It ends, or goes on: the connection of its notifications is made again.
  await eventually(
    () => excerptsOf(stream.events).includes(content) || stream.error() !== undefined,
  )
  await stream[Symbol.asyncDispose]()
  await using resumed = await follow(user, { url }, stream.events.at(-1)?.id)
  const all = () => excerptsOf([...stream.events, ...resumed.events])
  await eventually(() => all().includes(content))
  expect(all().filter((text) => text === 'Before the crash.')).toHaveLength(1)
})

test('questions with any text are kept, cut to 2,000 characters', async () => {
  const user = await newUser(server)
  const question = `${'😀'.repeat(999)}x${'😀'.repeat(10_000)}`
  await send(user, 'POST', '/api/recall', { query: question })
  await send(user, 'POST', '/api/recall', { query: 'שלום, איפה Ada?' })
  const [long, rightToLeft] = await untilListed(user, 2)
  expect(long?.question?.startsWith('😀'.repeat(999))).toBe(true)
  expect(long?.question?.length).toBe(2_000)
  expect(rightToLeft?.question).toBe('שלום, איפה Ada?')
})

test('credentials in a question are replaced, also where it is cut', async () => {
  const user = await newUser(server)
  const credential = `ghp_${'a1B2'.repeat(9)}`
  const words = 'word '.repeat(400)
  await send(user, 'POST', '/api/recall', { query: `Who owns ${credential}?` })
  await send(user, 'POST', '/api/context', { query: `${words.slice(0, 1_990)}${credential}` })
  const [whole, cut] = await untilListed(user, 2)
  expect(whole?.question).toStartWith('Who owns [redacted: ')
  expect(cut?.question).toHaveLength(2_000)
  expect(cut?.question).not.toContain('ghp_')
})

test('a recall within a budget is recorded with the memories that it returned', async () => {
  const user = await newUser(server)
  for (const city of ['Porto', 'Lisbon', 'Faro', 'Braga'])
    await remember(user, `Ada has a friend in ${city}, whom she visits every summer by train.`)
  const query = 'Where has Ada a friend?'
  const { body } = await send(user, 'POST', '/api/recall', { query, max_tokens: 60 })
  const text = await send(user, 'POST', '/api/recall', { query, max_tokens: 60, format: 'text' })
  expect(body.count).toBeLessThan(4)
  const events = (await untilListed(user, 6)).slice(4)
  expect(events.map(({ count }) => count)).toEqual([body.count, text.body.count])
})

test('an account that is being deleted holds up no events of others', async () => {
  const [leaving, staying] = [await newUser(server), await newUser(server)]
  const sql = postgres(database.env.SVC_DATABASE_URL, { max: 1 })
  await sql.begin(async (tx) => {
    await tx`select from users where id = ${leaving.id} for update`
    await send(leaving, 'POST', '/api/recall', { query: 'Is this my last question?' })
    await send(staying, 'POST', '/api/recall', { query: 'Is anything lost?' })
    const [event] = await untilListed(staying, 1)
    expect(event?.question).toBe('Is anything lost?')
    await tx`delete from users where id = ${leaving.id}`
  })
  await sql.end()
})

test('days without an offset are those of UTC', async () => {
  const user = await newUser(server)
  await remember(user, 'A note.')
  const [event] = await untilListed(user, 1)
  const time = event?.created_at.slice(0, -1)
  expect(await listed(user, `&since=${time}`)).toHaveLength(1)
  expect(await listed(user, `&until=${time}`)).toHaveLength(0)
})

test('a process that is frozen sends the events of that time when it wakes', async () => {
  await using frozen = spawnServer({ ...database.env })
  const url = await frozen.url
  const user = await newUser(server)
  await using stream = await follow(user, { url }, '0')
  frozen.child.kill('SIGSTOP')
  await remember(user, 'While it was frozen.')
  await untilListed(user, 1)
  frozen.child.kill('SIGCONT')
  await eventually(() => stream.events.length === 1)
  await remember(user, 'After that.')
  await eventually(() => stream.events.length === 2)
})

test('questions are not kept where that is off, and nothing at 0 days', async () => {
  const user = await newUser(server)
  await using quiet = await startServer({ SVC_ACTIVITY_QUESTIONS: 'off' }, database)
  await using silent = await startServer({ SVC_ACTIVITY_DAYS: '0' }, database)
  await send(user, 'POST', '/api/recall', { query: 'On the silent server?' }, silent)
  await silent.stop()
  await send(user, 'POST', '/api/recall', { query: 'On the quiet server?' }, quiet)
  expect((await untilListed(user, 1)).map(({ question }) => question)).toEqual([null])
})

test('the events of a deleted account are gone', async () => {
  const user = await newUser(server)
  await remember(user, 'A note of a user who leaves.')
  await untilListed(user, 1)
  const rows = () =>
    runSql(
      database.env.SVC_DATABASE_URL,
      `select 1 from activity_events where user_id = '${user.id}'`,
    )
  expect(await rows()).toHaveLength(4)
  const { status } = await request(server, 'DELETE', '/api/auth/delete-account', {
    token: user.accessToken,
    body: { password: 'correct horse battery staple' },
  })
  expect(status).toBe(200)
  expect(await rows()).toHaveLength(0)
})

test('a direct message is an event of its sender and its receiver', async () => {
  const [ada, bob] = [await verifiedUser(), await verifiedUser()]
  const thread = await threadOf(server, ada, await dmUserOf(server, bob))
  await sendMessage(server, ada, thread, 'Hello Bob')
  const { body: profile } = await request(server, 'GET', '/api/profile', { token: ada.key })
  expect(await untilListed(bob, 1)).toMatchObject([
    { kind: 'message.received', subject: profile.username, count: 1, memories: [] },
  ])
  expect(await untilListed(ada, 1)).toMatchObject([{ kind: 'message.sent', count: 1 }])
})

test('sign-ins, keys and changes of the account are events of the user alone', async () => {
  const user = await newUser(server)
  const other = await newUser(server)
  const { body: key } = await request(server, 'POST', '/api/auth/api-keys', {
    token: user.accessToken,
    body: { name: 'nightly' },
  })
  await request(server, 'DELETE', `/api/auth/api-keys/${key.id}`, { token: user.accessToken })
  const wrong = { email: user.email, password: 'not the password' }
  await request(server, 'POST', '/api/auth/signin', { body: wrong })
  const events = await eventually(async () => {
    const all: ActivityEvent[] = (await send(user, 'GET', '/api/events')).body.events
    return all.some(({ kind }) => kind === 'session.failed') && all.toReversed()
  })
  expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['account.changed', 'user.signed_up'],
    ['session.started', null],
    ['key.created', 'test'],
    ['key.created', 'nightly'],
    ['key.revoked', 'nightly'],
    ['session.failed', null],
  ])
  const { body: theirs } = await send(other, 'GET', '/api/events?kind=session.')
  expect(theirs.events.map(({ kind }: ActivityEvent) => kind)).toEqual(['session.started'])
})

test('a reflex that fires or waits for a confirmation is an event', async () => {
  const user = await verifiedUser()
  const create = (name: string, confirm: boolean) =>
    send(user, 'POST', '/api/reflexes', {
      name,
      confirm,
      trigger: { type: 'memory' },
      conditions: [],
      action: { type: 'notify', channel: 'inbox', title: 'New', text: 'A new memory.' },
    })
  expect((await create('At once', false)).status).toBe(201)
  expect((await create('After a question', true)).status).toBe(201)
  await remember(user, 'A memory for both.')
  const events = await untilListed(user, 3)
  expect(events.map(({ kind, subject }) => `${kind} ${subject ?? ''}`).toSorted()).toEqual([
    'confirmation.waiting After a question',
    'memory.stored ',
    'reflex.fired At once',
  ])
})

const SETTINGS = '/api/events/settings'

test('facts, reminders and contradictions that engines find are events of svc', async () => {
  const user = await newUser(server)
  const berlin = await remember(user, 'My name is Ada. I live in Berlin.')
  const found = await eventually(async () => {
    const { body } = await send(user, 'GET', '/api/events?kind=fact.')
    return body.events[0]
  })
  expect(found).toMatchObject({ kind: 'fact.found', client: 'svc', count: 2, question: null })
  expect(found.memories.map(({ memory_id }: { memory_id: string }) => memory_id)).toEqual([berlin])

  await remember(user, 'I like tea.')
  const porto = await remember(user, 'My home is in Porto.')
  const conflict = await eventually(async () => {
    const { body } = await send(user, 'GET', '/api/events?kind=contradiction.')
    return body.events[0]
  })
  expect(conflict).toMatchObject({ client: 'svc', subject: 'home', count: 2 })
  const inConflict = conflict.memories.map(({ memory_id }: { memory_id: string }) => memory_id)
  expect(inConflict.toSorted()).toEqual([berlin, porto].toSorted())
  const { body } = await send(user, 'GET', '/api/identity/conflicts')
  expect(body.conflicts).toHaveLength(1)

  const bins = await remember(user, 'Remind me to take the bins out tomorrow.')
  const reminder = await eventually(async () => {
    const { body } = await send(user, 'GET', '/api/events?kind=reminder.')
    return body.events[0]
  })
  expect(reminder).toMatchObject({ kind: 'reminder.found', client: 'svc', count: 1 })
  expect(reminder.memories).toMatchObject([{ memory_id: bins }])

  // A change that finds no new fact is no event.
  const before = (await send(user, 'GET', '/api/events?kind=fact.')).body.events.length
  await send(user, 'PATCH', `/api/memories/${porto}`, { content: 'My home is in Porto!' })
  await remember(user, 'My dog is called Rex.')
  await remember(user, 'My birthday is 3 May 1990.')
  await eventually(async () => {
    const { events } = (await send(user, 'GET', '/api/events?kind=fact.')).body
    return events.length > before && events[0].memories[0].excerpt.includes('birthday')
  })
  const { events } = (await send(user, 'GET', '/api/events?kind=fact.')).body
  const excerpts = events.flatMap(({ memories }: ActivityEvent) =>
    memories.map(({ excerpt }) => excerpt),
  )
  expect(excerpts.filter((excerpt: string) => excerpt === 'My home is in Porto!')).toHaveLength(1)
  const conflicts = (await send(user, 'GET', '/api/events?kind=contradiction.')).body.events
  expect(conflicts).toHaveLength(1)
})

test('the reads and writes of each assistant are counted, and nothing of others', async () => {
  const user = await newUser(server)
  const other = await newUser(server)
  const created = await request(server, 'POST', '/api/auth/api-keys', {
    token: user.accessToken,
    body: { name: 'garden robot' },
  })
  const robot = { key: created.body.key }
  await send(robot, 'POST', '/api/remember', { content: 'The roses are red.' })
  const tulips = await send(robot, 'POST', '/api/remember', { content: 'The tulips are yellow.' })
  await send(robot, 'POST', '/api/recall', { query: 'roses tulips' })
  await send(robot, 'DELETE', `/api/memories/${tulips.body.memory_id}`)
  const turn = { turn: '1', role: 'user', content: 'We deploy to Hetzner.' }
  const captured = { client: 'codex', session: 's1', channel: 'hook', messages: [turn] }
  await send(user, 'POST', '/api/captures', captured)
  await remember(other, 'The violets are blue.')
  const assistants = await eventually(async () => {
    const { body } = await send(user, 'GET', '/api/events/assistants')
    return body.assistants.length === 2 && body.assistants
  })
  const [codex, garden] = assistants
  expect(codex).toMatchObject({ client: 'codex', written: 1, read: 0, recalls: 0 })
  expect(garden).toEqual({
    client: 'garden robot',
    last_seen_at: expect.any(String),
    key_ids: [created.body.id],
    recalls: 1,
    contexts: 0,
    read: 2,
    written: 2,
    changed: 0,
    deleted: 1,
  })
})

test('the reads and writes of each day are counted in the zone of the user, with times and growth', async () => {
  const user = await newUser(server)
  const other = await newUser(server)
  const read = async (zone: string) => {
    const { body } = await request(server, 'GET', '/api/events/days?days=7', {
      token: user.key,
      headers: { 'x-timezone': zone },
    })
    return body
  }
  await remember(user, 'Ada plays chess.')
  await send(user, 'POST', '/api/recall', { query: 'Who plays chess?' })
  await remember(user, 'Ada plays the piano.')
  await send(user, 'POST', '/api/context', { query: 'What does Ada play?', session: 's1' })
  await remember(other, 'Grace plays poker.')
  const events = await untilListed(user, 4)
  expect(events.map(({ took_ms }) => took_ms)).toEqual([
    ...[null, expect.any(Number), null, expect.any(Number)],
  ])
  // 23:30 in UTC is the next day in Kiritimati (UTC+14), and the same in Honolulu (UTC-10).
  const at = `${new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)}T23:30Z`
  await runSql(
    database.env.SVC_DATABASE_URL,
    `update activity_events set took_ms = 40, created_at = '${at}' where owner_id = '${user.id}'`,
    `update memories set created_at = '${at}' where owner_id = '${user.id}' and content_text like '%piano%'`,
  )
  const all = { recalls: 1, contexts: 1, written: 2, changed: 0, deleted: 0, read: 3 }
  for (const [zone, daysLater] of [
    ['UTC', 0],
    ['Pacific/Kiritimati', 1],
    ['Pacific/Honolulu', 0],
  ] as const) {
    const { days, kept_days } = await read(zone)
    expect(kept_days).toBe(30)
    expect(days).toHaveLength(7)
    const day = new Date(Date.parse(at) + daysLater * 86_400_000).toISOString().slice(0, 10)
    const found = days.findIndex((each: { day: string }) => each.day === day)
    expect(days[found]).toMatchObject({ ...all, recall_ms: { median: 40, p95: 40 } })
    expect(days[found - 1]).toMatchObject({ recalls: 0, written: 0, recall_ms: null })
    const growth = days.map(({ memories }: { memories: number }) => memories)
    expect(growth).toEqual(days.map((_: unknown, i: number) => (i < found ? 0 : i < 6 ? 1 : 2)))
  }
  for (const query of ['days=6', 'days=91', 'days=x'])
    expect((await send(user, 'GET', `/api/events/days?${query}`)).status).toBe(422)
})

test('a person keeps no questions: earlier ones are erased, and others keep theirs', async () => {
  const user = await newUser(server)
  const other = await newUser(server)
  const ask = (as: TestUser, query: string) => send(as, 'POST', '/api/recall', { query })
  const questions = async (as: TestUser, count: number) =>
    (await untilListed(as, count)).map(({ question }) => question)
  await remember(user, 'Ada drinks tea.')
  await ask(user, 'Who drinks tea?')
  await ask(other, 'Who drinks coffee?')
  expect(await questions(user, 2)).toEqual([null, 'Who drinks tea?'])
  expect((await send(user, 'GET', SETTINGS)).body).toEqual({
    keeps_questions: true,
    is_fixed: false,
  })
  const off = await send(user, 'PUT', SETTINGS, { keeps_questions: false })
  expect(off.body).toEqual({ keeps_questions: false, is_fixed: false })
  expect(await questions(user, 2)).toEqual([null, null])
  expect(await questions(other, 1)).toEqual(['Who drinks coffee?'])
  await send(user, 'POST', '/api/recall', { query: 'Who drinks milk?' })
  await send(user, 'POST', '/api/recall', { query: 'Who drinks water?' })
  expect(await questions(user, 4)).toEqual([null, null, null, null])
  const kept = await runSql(
    database.env.SVC_DATABASE_URL,
    'select question from activity_events where question is not null',
  )
  expect(JSON.stringify(kept)).not.toContain('Who drinks tea')

  expect((await send(user, 'GET', '/api/preferences')).body).not.toHaveProperty('keep_questions')
  expect((await send(user, 'PUT', '/api/preferences/keep_questions', { value: 'on' })).status).toBe(
    404,
  )
  await send(user, 'PUT', SETTINGS, { keeps_questions: true })
  await ask(user, 'Who drinks juice?')
  expect((await questions(user, 5)).at(-1)).toBe('Who drinks juice?')
  for (const body of [{}, { keeps_questions: 'no' }, { keeps_questions: null }])
    expect((await send(user, 'PUT', SETTINGS, body)).status).toBe(422)
})

test('an assistant with a limited key does not choose what is recorded of it', async () => {
  const user = await newUser(server)
  const { body } = await request(server, 'POST', '/api/auth/api-keys', {
    token: user.accessToken,
    body: { name: 'limited', scopes: ['memory:read', 'memory:write'] },
  })
  const limited = { key: body.key }
  expect((await send(limited, 'GET', SETTINGS)).status).toBe(200)
  expect((await send(limited, 'PUT', SETTINGS, { keeps_questions: false })).status).toBe(403)
})
