import { afterAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { PASSWORD, request, type TestUser, useServer } from '../harness/server.ts'
import { dmUserOf, send, threadOf } from '../people/dm-support.ts'
import { createOrgClient } from './organization-support.ts'

const server = useServer()
const { call, createOrg, invite } = createOrgClient(server)

/** Everything of a story in which Gone, whose names are unique, leaves traces with Peer. */
interface Story {
  peer: TestUser
  gone: TestUser
  orgId: string
  reflexes: { inbox: string; confirmed: string }
  thread: string
  /** Memories of the organization: one that was edited, and one that states a fact in the first person. */
  memories: { edited: string; fact: string }
}

let sql: postgres.Sql | undefined
afterAll(() => sql?.end())

const rows = async <T extends object>(text: string): Promise<T[]> => {
  sql ??= postgres(server.current.database.env.SVC_DATABASE_URL, { max: 1 })
  return sql.unsafe<T[]>(text)
}

/** The columns of all tables that contain one of the names in any case, as `table.column`. */
const columnsWith = async (names: readonly string[]): Promise<string[]> => {
  const columns = await rows<{ table: string; column: string; from: string }>(`
    select table_name as table, column_name as column,
      quote_ident(table_schema) || '.' || quote_ident(table_name) as from
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      and data_type in ('text', 'character varying', 'json', 'jsonb', 'ARRAY')`)
  expect(columns.length).toBeGreaterThan(150)
  const found = new Set<string>()
  for (const { table, column, from } of columns) {
    const value = `lower("${column}"::text)`
    const [hit] = await rows(
      `select 1 from ${from} where ${names.map((name) => `position('${name}' in ${value}) > 0`).join(' or ')} limit 1`,
    )
    if (hit) found.add(`${from.startsWith('public.') ? '' : 'jobs.'}${table}.${column}`)
  }
  return [...found].toSorted()
}

const inOrg = (orgId: string) => ({ headers: { 'x-org-id': orgId } })

const remember = async (user: TestUser, orgId: string, body: object): Promise<string> => {
  const { status, body: memory } = await call(user, 'POST', 'remember', body, inOrg(orgId))
  expect(status).toBe(201)
  return memory.memory_id
}

const newReflex = async (user: TestUser, more: object): Promise<string> => {
  const { status, body } = await call(user, 'POST', 'reflexes', {
    name: 'Watch',
    trigger: { type: 'message', source: 'dm' },
    action: { type: 'notify', channel: 'inbox', text: '{{author_username}} wrote {{content}}' },
    ...more,
  })
  expect(status).toBe(201)
  return body.reflex_id
}

/** Writes as Gone into an organization under the name `former`, and then under `named`. */
const writeInOrg = async (gone: TestUser, orgId: string, former: string, named: string) => {
  const setName = async (display_name: string) =>
    expect((await call(gone, 'PUT', 'profile', { display_name })).status).toBe(200)
  await setName(former)
  const captured = await call(
    gone,
    'POST',
    'captures',
    {
      client: 'codex',
      session: 'a-session',
      channel: 'hook',
      project: 'acme/shop',
      messages: [{ turn: '1', ordinal: 1, role: 'user', content: 'We deploy to Hetzner.' }],
    },
    inOrg(orgId),
  )
  expect(captured.status).toBeLessThan(300)
  await setName(named)
  const edited = await remember(gone, orgId, { content: 'It rains often.', author: named })
  await call(gone, 'PATCH', `memories/${edited}`, { content: 'It rains.' }, inOrg(orgId))
  const fact = await remember(gone, orgId, { content: 'I live in Lisbon.', author: named })
  await eventually(async () => {
    const { body } = await call(gone, 'GET', `memories/${fact}/facts`, undefined, inOrg(orgId))
    return JSON.stringify(body).includes('Lisbon')
  })
  return { edited, fact }
}

const tell = async (names: { local: string; former: string; named: string }): Promise<Story> => {
  const peer = await newVerifiedUser(server.current)
  const gone = await newVerifiedUser(server.current, `${names.local}@example.com`)
  const { id: orgId } = await createOrg(peer)
  const { token } = await invite(peer, { id: orgId }, gone.email)
  expect((await call(gone, 'POST', 'invites/accept', { token })).status).toBe(200)
  const memories = await writeInOrg(gone, orgId, names.former, names.named)
  const reflexes = {
    inbox: await newReflex(peer, {}),
    confirmed: await newReflex(peer, { confirm: true }),
  }
  const thread = await threadOf(server.current, gone, await dmUserOf(server.current, peer))
  await send(server.current, gone, thread, `Hello from ${names.named}`)
  await send(server.current, peer, thread, 'Welcome')
  await call(gone, 'POST', 'auth/code', { email: gone.email })
  // As a server without workers leaves them.
  const data = JSON.stringify({ id: crypto.randomUUID(), email: gone.email, to: gone.email })
  await rows(`insert into jobs.job (name, data, start_after)
    select name, '${data}', now() + interval '1 hour' from unnest(array['password-reset', 'sign-in-code', 'mail']) name`)
  return { peer, gone, orgId, reflexes, thread, memories }
}

type Answer = (story: Story) => Promise<string>

const get =
  (path: (story: Story) => string, isInOrg = false): Answer =>
  async (story) => {
    const options = isInOrg ? inOrg(story.orgId) : {}
    const { status, text } = await call(story.peer, 'GET', path(story), undefined, options)
    expect([path(story), status]).toEqual([path(story), 200])
    return text
  }

/** The beginning of the stream of events from the first one on, with those that the server still has. */
const streamed: Answer = async ({ peer }) => {
  const stop = new AbortController()
  const response = await fetch(new URL('/api/events', server.current.url), {
    headers: {
      authorization: `Bearer ${peer.accessToken}`,
      accept: 'text/event-stream',
      'last-event-id': '0',
    },
    signal: stop.signal,
  })
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk)
    if (text.includes('message.sent') && text.includes('message.received')) break
  }
  stop.abort()
  return text
}

/** The places where Peer sees Gone. */
const ANSWERS: [place: string, answer: Answer][] = [
  ['a received message in the activity', get(() => 'events?kind=message.received')],
  ['a sent message in the activity', get(() => 'events?kind=message.sent')],
  ['the stream of the activity', streamed],
  ['the firings of a reflex', get(({ reflexes }) => `reflexes/${reflexes.inbox}/firings`)],
  ['a waiting confirmation', get(() => 'reflexes/confirmations')],
  ['a notification of a reflex', get(() => 'proactive/intents')],
  ['the direct threads', get(() => 'dm/threads')],
  ['the messages of a thread', get(({ thread }) => `dm/threads/${thread}/messages`)],
  ['the members of an organization', get(({ orgId }) => `orgs/${orgId}/members`)],
  ['the memories of an organization', get(() => 'memories', true)],
  ['their authors', get(() => 'memories/facets', true)],
  ['their history', get(({ memories }) => `memories/${memories.edited}/history`, true)],
  ['their facts', get(({ memories }) => `memories/${memories.fact}/facts`, true)],
]

/** Columns with rows of others that name Gone, or of the queue and of no one. */
const COLUMNS = [
  ...['reflex_firings.event', 'intents.text', 'org_invites.email', 'mailed_codes.email'],
  ...['memories.author', 'memory_history.before', 'memory_facts.subject', 'jobs.job.data'],
]

test('after an account is deleted, no row and no answer for others has its names or its address', async () => {
  const unique = () => `q${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
  const names = { local: unique(), former: unique(), named: unique() }
  const all = Object.values(names)
  const story = await tell(names)
  for (const [, answer] of ANSWERS)
    await eventually(async () => {
      const text = await answer(story)
      return all.some((name) => text.includes(name))
    })
  expect(await columnsWith(all)).toEqual(expect.arrayContaining(COLUMNS))

  const { status } = await call(story.gone, 'DELETE', 'auth/delete-account', { password: PASSWORD })
  expect(status).toBe(200)

  expect(await columnsWith(all)).toEqual([])
  for (const [place, answer] of ANSWERS) {
    const text = await answer(story)
    expect([place, all.filter((name) => text.includes(name))]).toEqual([place, []])
  }
  const shown = await get(() => 'events?kind=message.')(story)
  expect(JSON.parse(shown).events.map(({ subject }: { subject: string }) => subject)).toEqual([
    'deleted',
    'deleted',
  ])
})

test('a user who is renamed has the new name in the messages of the activity of others', async () => {
  const [ada, bob] = [await newVerifiedUser(server.current), await newVerifiedUser(server.current)]
  const thread = await threadOf(server.current, ada, await dmUserOf(server.current, bob))
  await send(server.current, ada, thread, 'Hello Bob')
  const subjects = async () => {
    const { body } = await request(server.current, 'GET', '/api/events?kind=message.', {
      token: bob.key,
    })
    return body.events.map(({ subject }: { subject: string }) => subject)
  }
  await eventually(async () => (await subjects()).length === 1)
  const renamed = `renamed-${crypto.randomUUID()}`
  await rows(`update users set username = '${renamed}' where id = '${ada.id}'`)
  expect(await subjects()).toEqual([renamed])
})
