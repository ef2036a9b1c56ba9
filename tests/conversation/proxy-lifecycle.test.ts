import { expect, test } from 'bun:test'
import { deleteAccount } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { PASSWORD, request, startServer } from '../harness/server.ts'
import { says, stallsAfter, startUpstream } from '../harness/upstream.ts'
import { QUESTION, useProxy } from './proxy-support.ts'

const proxy = useProxy()
const PATH = '/openai/v1/chat/completions'
const bodyOf = (text: string, more: object = {}): string =>
  JSON.stringify({ model: 'a-model', messages: [{ role: 'user', content: text }], ...more })

const turnsOf = (userId: string) =>
  runSql(proxy.server.database, `select * from proxy_turns where user_id = '${userId}'`)

test('another user neither gets the memories of a conversation with the same words nor its thread', async () => {
  const user = await proxy.newUser()
  const other = await proxy.newUser()
  const headers = { 'x-svc-thread': 'shared' }
  await (await user.post(PATH, bodyOf(QUESTION), headers)).text()
  await (await other.post(PATH, bodyOf(QUESTION), headers)).text()
  const [first, second] = [await turnsOf(user.id), await turnsOf(other.id)]
  expect([first.length, second.length]).toEqual([1, 1])
  expect(first[0]?.scope).not.toBe(second[0]?.scope)
})

test('turns are deleted with the account', async () => {
  const user = await proxy.newUser()
  await (await user.post(PATH, bodyOf(QUESTION))).text()
  await user.capturedTexts(2)
  expect(await turnsOf(user.id)).toHaveLength(1)
  const { status } = await request(proxy.server, deleteAccount.method, deleteAccount.path, {
    token: user.accessToken,
    body: { password: PASSWORD },
  })
  expect(status).toBe(200)
  expect(await turnsOf(user.id)).toEqual([])
})

test('a conversation continues after a restart, and a turn is deleted a day after its last use', async () => {
  await using upstream = await startUpstream()
  const database = await createDatabase()
  const env = { SVC_OPENAI_BASE_URL: `${upstream.url}/v1`, SVC_OPENAI_MODEL: 'a-model' }
  const rows = () => runSql(database, 'select session, used_at from proxy_turns order by ordinal')
  const ask = async (server: { url: string }, key: string, messages: object[]) => {
    const response = await request(server, 'POST', `/api${PATH}`, {
      token: key,
      body: { model: 'a-model', messages },
    })
    expect(response.status).toBe(200)
  }
  const messages = [
    { role: 'user', content: QUESTION },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Thanks.' },
  ]
  const first = await startServer(env, database)
  const { key } = await newVerifiedUser(first)
  await ask(first, key, messages.slice(0, 1))
  await first.stop()
  await runSql(database, "update proxy_turns set used_at = now() - interval '23 hours'")
  const second = await startServer(env, database)
  await ask(second, key, messages)
  const [one, two] = await rows()
  expect(two?.session).toBe(one?.session)
  expect(Date.now() - new Date(String(one?.used_at)).getTime()).toBeLessThan(3_600_000)
  await second.stop()
  await runSql(database, "update proxy_turns set used_at = now() - interval '25 hours'")
  const third = await startServer(env, database)
  await eventually(async () => (await rows()).length === 0)
  await third.stop()
  await database.drop()
})

test('a server that stops ends its streams, and their requests at the provider', async () => {
  await using upstream = await startUpstream()
  const server = await startServer({
    SVC_OPENAI_BASE_URL: `${upstream.url}/v1`,
    SVC_OPENAI_MODEL: 'a-model',
  })
  const { key } = await newVerifiedUser(server)
  upstream.next(stallsAfter('a long answer'))
  const response = await fetch(`${server.url}/api${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: bodyOf(QUESTION, { stream: true }),
  })
  const reader = response.body?.getReader()
  await reader?.read()
  const rest = async () => {
    while (!(await reader?.read())?.done);
  }
  const [, ended] = await Promise.all([server.stop(), rest().catch((error: unknown) => error)])
  expect(ended).toBeInstanceOf(Error)
  await upstream.calls.at(-1)?.disconnected
})

test('requests of one turn at the same time have the same memories', async () => {
  const user = await proxy.newUser()
  proxy.upstream.next(...Array.from({ length: 8 }, () => says('Hello.')))
  const headers = { 'x-svc-thread': 'parallel' }
  await Promise.all(
    Array.from({ length: 8 }, async () =>
      (await user.post(PATH, bodyOf(QUESTION), headers)).text(),
    ),
  )
  const texts = new Set(proxy.upstream.calls.map(({ text }) => text))
  expect(texts.size).toBe(1)
  expect([...texts][0]).toContain('<svc-memory>')
  expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Hello.'])
})

test('memories of an organization are given to its key, and not those of its member', async () => {
  const user = await proxy.newUser()
  const created = await request(proxy.server, 'POST', '/api/orgs', {
    token: user.accessToken,
    body: { name: 'Acme' },
  })
  const headers = { 'x-org-id': created.body.id }
  const remembered = await request(proxy.server, 'POST', '/api/remember', {
    token: user.key,
    headers,
    body: { content: 'Acme deploys to Oslo.' },
  })
  expect(remembered.status).toBe(201)
  await (await user.post(PATH, bodyOf('Where does Acme deploy?'), headers)).text()
  expect(proxy.upstream.calls.at(-1)?.text).toContain('Oslo')
  expect(proxy.upstream.calls.at(-1)?.headers).not.toHaveProperty('x-org-id')
})

test('20 messages of one thread at the same time are all stored', async () => {
  const user = await proxy.newUser()
  const headers = {
    'user-agent': 'opencode/1.18.33',
    'x-session-id': 'ses_1',
  }
  const texts = Array.from({ length: 20 }, (_, number) => `Note ${number}.`)
  await Promise.all(
    texts.map(async (text) => (await user.post(PATH, bodyOf(text), headers)).text()),
  )
  const stored = await user.capturedTexts(40)
  expect(stored.filter((text) => text !== 'Hello.').toSorted()).toEqual(texts.toSorted())
})

test('a conversation that svc has not seen keeps its thread, apart from others with the same beginning', async () => {
  const user = await proxy.newUser()
  const conversation = (answer: string, ...more: string[]) => [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: answer },
    ...more.map((content) => ({ role: 'user', content })),
  ]
  const ask = async (messages: object[]) => {
    await (await user.post(PATH, JSON.stringify({ model: 'a-model', messages }))).text()
  }
  await ask(conversation('Hello Ada.', 'We moved to Oslo.'))
  await ask(conversation('Hello Bob.', 'We moved to Rome.'))
  await runSql(proxy.server.database, `delete from proxy_turns where user_id = '${user.id}'`)
  await ask(conversation('Hello Ada.', 'We moved to Oslo.', 'And to Bergen.'))
  await user.capturedTexts(6)
  const threadOf = new Map(
    (await user.captured()).map(({ content_text, thread }) => [content_text, thread]),
  )
  expect(threadOf.get('And to Bergen.')).toBe(threadOf.get('We moved to Oslo.') ?? null)
  expect(threadOf.get('We moved to Rome.')).not.toBe(threadOf.get('We moved to Oslo.') ?? null)
})

test('a conversation of 30,000 messages has memory', async () => {
  const user = await proxy.newUser()
  const messages = Array.from({ length: 30_000 }, (_, i) => ({
    role: i % 2 ? 'assistant' : 'user',
    content: `Note ${i}.`,
  }))
  const body = bodyOf('', { messages: [...messages, { role: 'user', content: QUESTION }] })
  expect((await user.post(PATH, body)).status).toBe(200)
  expect(proxy.upstream.calls.at(-1)?.text).toContain('<svc-memory>')
})

test('a response that began outside of an organization is not continued in it', async () => {
  const user = await proxy.newUser()
  const create = async () =>
    (
      await request(proxy.server, 'POST', '/api/orgs', {
        token: user.accessToken,
        body: { name: 'Analytics' },
      })
    ).body.id as string
  const [org, other] = [await create(), await create()]
  const ask = (inOrg: string | undefined, previous_response_id: string | null, input = QUESTION) =>
    user.openai.responses.create(
      { model: 'a-model', input, previous_response_id },
      { headers: inOrg === undefined ? {} : { 'x-org-id': inOrg } },
    )
  const own = await ask(undefined, null)
  const shared = await ask(org, null)
  const calls = proxy.upstream.calls.length
  const used = await user.messagesUsed()
  for (const [where, previous] of [
    [org, own.id],
    [other, own.id],
    [other, shared.id],
  ] as const)
    expect(await ask(where, previous).catch(({ status }) => status)).toBe(404)
  // Nothing reached the provider, and nothing counts.
  expect(proxy.upstream.calls).toHaveLength(calls)
  expect(await user.messagesUsed()).toBe(used)
  for (const [where, previous] of [
    [undefined, own.id],
    [org, shared.id],
    [org, 'resp_unknown'],
  ] as const)
    expect((await ask(where, previous, 'And then?')).id).toStartWith('resp_')
})
