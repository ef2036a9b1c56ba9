import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { getUsage, listMemories, remember } from '../../shared/contract/index.ts'
import { tiersFile } from '../billing/support.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { spawnServer } from '../harness/process.ts'
import { startServer, type TestServer } from '../harness/server.ts'
import { type ModelUpstream, type Reply, says, sends, stallsAfter } from '../harness/upstream.ts'
import { FACT, QUESTION, startProvider } from './proxy-support.ts'

setDefaultTimeout(120_000)

const PATH = '/openai/v1/chat/completions'
const BLOCK = '<svc-memory>'

let upstream: ModelUpstream
let database: TestDatabase
let env: Record<string, string>
let server: TestServer

beforeAll(async () => {
  upstream = await startProvider()
  database = await createDatabase()
  env = {
    SVC_OPENAI_BASE_URL: `${upstream.url}/v1`,
    SVC_OPENAI_MODEL: 'a-model',
    SVC_TIERS: tiersFile({ amnesiac: { quotas: { messages: 5_000 } } }),
  }
  server = await startServer(env, database)
}, 120_000)

afterAll(async () => {
  await server.stop()
  await upstream[Symbol.asyncDispose]()
  await database.drop()
})

const newUser = async () => {
  upstream.reset()
  const user = await newVerifiedUser(server)
  await user.client.call(remember, { body: { content: FACT } })
  return {
    ...user,
    used: async () => (await user.client.call(getUsage, {})).usage.messages.used,
    /** The captured memories, oldest first, once there are so many. */
    captured: (count: number) =>
      eventually(async () => {
        const { memories } = await user.client.call(listMemories, { query: { limit: 100 } })
        const captured = memories.filter(({ source }) => source.ref?.startsWith('proxy:'))
        return captured.length >= count && captured.toReversed()
      }),
  }
}

const person = (content: string) => ({ role: 'user', content })

const ask = (
  url: string,
  key: string,
  messages: object[],
  { stream, headers }: { stream?: boolean; headers?: Record<string, string> } = {},
) =>
  fetch(`${url}/api${PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify({ model: 'a-model', stream, messages }),
  })

/** Answers that begin when so many requests have come. */
const together = (count: number, answer: Reply): Reply[] => {
  const all = Promise.withResolvers<void>()
  let waiting = count
  return Array.from(
    { length: count },
    (): Reply => async (response, call) => {
      waiting -= 1
      if (waiting === 0) all.resolve()
      await all.promise
      await answer(response, call)
    },
  )
}

test('a turn goes on after a restart with the same memories, counted and stored once', async () => {
  const user = await newUser()
  const tool = { name: 'read_file', args: {} }
  upstream.next(says('', tool), says('To Hetzner.'))
  const messages: object[] = [person(QUESTION)]
  const first = await startServer(env, database)
  const response = await ask(first.url, user.key, messages)
  const { choices }: { choices: { message: object }[] } = JSON.parse(await response.text())
  await first.stop()
  messages.push(...choices.map(({ message }) => message), {
    role: 'tool',
    tool_call_id: 'call_0',
    content: 'done',
  })
  await using second = await startServer(env, database)
  await (await ask(second.url, user.key, messages)).text()
  const [before, after] = upstream.calls.map(({ body }) => body.messages)
  expect(JSON.stringify(before)).toContain(BLOCK)
  expect(after.slice(0, 2)).toEqual(before)
  const captured = await user.captured(2)
  expect(captured.map(({ content_text }) => content_text)).toEqual([QUESTION, 'To Hetzner.'])
  expect(await user.used()).toBe(1)
})

test('a request that is repeated after a crash in its stream has its memories once, and is stored once', async () => {
  const user = await newUser()
  const headers = { 'x-svc-thread': 'crash' }
  const sent = Promise.withResolvers<void>()
  upstream.next(stallsAfter('a long answer', sent.resolve))
  await using crashing = spawnServer({ ...database.env, ...env })
  const response = await ask(await crashing.url, user.key, [person(QUESTION)], {
    stream: true,
    headers,
  })
  await sent.promise
  crashing.child.kill('SIGKILL')
  await expect(response.text()).rejects.toThrow()
  await (await ask(server.url, user.key, [person(QUESTION)], { headers })).text()
  const [first, second] = upstream.calls.map(({ text }) => text.split(BLOCK).length - 1)
  expect([first, second]).toEqual([1, 1])
  const captured = await user.captured(2)
  expect(captured.map(({ content_text }) => content_text)).toEqual([QUESTION, 'Hello.'])
})

for (const [name, headers] of Object.entries({
  'a named conversation': { 'x-svc-thread': 'shared' },
  'a conversation without a name': undefined,
}))
  test(`two servers that begin a turn of ${name} at the same time add the same, and store it once`, async () => {
    const user = await newUser()
    await using other = await startServer(env, database)
    upstream.next(...together(2, says('Hello.')))
    const messages = [person(QUESTION)]
    await Promise.all(
      [server.url, other.url].map(async (url) =>
        (await ask(url, user.key, messages, { ...(headers && { headers }) })).text(),
      ),
    )
    const [one, two] = upstream.calls.map(({ text }) => text)
    expect(one).toContain(BLOCK)
    expect(two).toBe(one as string)
    // A later message is stored after these.
    const later = [...messages, { role: 'assistant', content: 'Hello.' }, person('We moved.')]
    await (await ask(other.url, user.key, later, { ...(headers && { headers }) })).text()
    const captured = await user.captured(4)
    expect(captured.map(({ content_text }) => content_text)).toEqual([
      QUESTION,
      'Hello.',
      'We moved.',
      'Hello.',
    ])
    expect(new Set(captured.map(({ thread }) => thread)).size).toBe(1)
    const last = upstream.calls.at(-1)?.body.messages
    expect(last.slice(0, 2)).toEqual(JSON.parse(one as string).messages)
  })

test('messages of one session at two servers at the same time are all stored', async () => {
  const user = await newUser()
  await using other = await startServer(env, database)
  const headers = { 'user-agent': 'opencode/1.18.33', 'x-session-id': 'ses_2' }
  const texts = Array.from({ length: 16 }, (_, number) => `Note ${number}.`)
  await Promise.all(
    texts.map(async (text, number) => {
      const { url } = number % 2 ? server : other
      await (await ask(url, user.key, [person(text)], { headers })).text()
    }),
  )
  const captured = await user.captured(32)
  const prompts = captured.filter(({ source }) => source.kind === 'prompt')
  expect(prompts.map(({ content_text }) => content_text).toSorted()).toEqual(texts.toSorted())
})

/** The response to a request over a connection of its own: `fetch` limits how many there are. */
const getRaw = (url: string, key: string, path: string): Promise<string> => {
  const { hostname, port } = new URL(url)
  const head = [`GET /api${path} HTTP/1.1`, `host: ${hostname}`, `authorization: Bearer ${key}`]
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(Number(port), hostname, () =>
    socket.write(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n`),
  )
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    received += text
    if (!received.startsWith('HTTP/1.1 200')) reject(new Error(received))
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(received))
  return promise
}

test('600 streams at once pass through a server that ./svc starts', async () => {
  const user = await newUser()
  const svc = fileURLToPath(new URL('../../svc', import.meta.url))
  await using started = spawnServer({ ...database.env, ...env }, [], [svc, 'serve'])
  const url = await started.url
  upstream.next(
    ...together(600, (response, call) =>
      sends([`data: begin ${call.path}.\n\n`, `data: end ${call.path}.\n\n`])(response, call),
    ),
  )
  const models = Array.from({ length: 600 }, (_, number) => `model-${number}`)
  const responses = await Promise.all(
    models.map((model) => getRaw(url, user.key, `/openai/v1/models/${model}`)),
  )
  for (const [index, response] of responses.entries())
    for (const part of ['begin', 'end'])
      expect(response).toContain(`data: ${part} /v1/models/${models[index]}.\n\n`)
})
