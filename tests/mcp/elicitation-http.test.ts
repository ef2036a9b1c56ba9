import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../../shared/client.ts'
import { createKey, remember, updateKey } from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { connectCapableOlder, isKept } from './capable-client.ts'

/** The messages of a response with server-sent events. */
async function* messagesOf(response: Response): AsyncGenerator<unknown, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    const events = (text + decoder.decode(chunk, { stream: true })).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: {'))
      if (data) yield JSON.parse(data.slice('data: '.length))
    }
  }
}

describe('an older client over HTTP', () => {
  let database: TestDatabase
  let one: TestServer
  let two: TestServer
  beforeAll(async () => {
    database = await createDatabase()
    one = await startServer({}, database)
    two = await startServer({}, database)
  })
  afterAll(async () => {
    await Promise.all([one.stop(), two.stop()])
    await database.drop()
  })

  const headers = (session?: string) => ({
    accept: 'application/json, text/event-stream',
    ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
  })

  const openSession = async (key: string): Promise<string> => {
    const { headers: opened } = await request(one, 'POST', '/api/mcp', {
      token: key,
      headers: headers(),
      body: {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: { elicitation: {} },
          clientInfo: { name: 'raw', version: '1' },
        },
      },
    })
    return opened.get('mcp-session-id') ?? ''
  }

  const startCall = async (key: string, session: string, memory_id: string) => {
    const disconnect = new AbortController()
    const response = await fetch(new URL('/api/mcp', one.url), {
      method: 'POST',
      signal: disconnect.signal,
      headers: {
        ...headers(session),
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'forget', arguments: { memory_id } },
      }),
    })
    return { messages: messagesOf(response), disconnect }
  }

  /** Starts a call, and reads the question. */
  const startForget = async (key: string, session: string, memory_id: string) => {
    const { messages, disconnect } = await startCall(key, session, memory_id)
    const { value: question } = await messages.next()
    expect(question).toMatchObject({ method: 'elicitation/create', params: { mode: 'form' } })
    return { question: question as { id: string }, messages, disconnect }
  }

  const answer = (on: TestServer, key: string, session: string, id: unknown, result: object) =>
    request(on, 'POST', '/api/mcp', {
      token: key,
      headers: headers(session),
      body: { jsonrpc: '2.0', id, result },
    })

  const keyOf = (user: TestUser) =>
    createClient({ baseUrl: one.url, credential: user.accessToken }).call(createKey, {
      body: { name: 'Agent' },
    })

  const newMemory = async () => {
    const user = await newUser(one)
    const { memory_id } = await user.client.call(remember, { body: { content: 'A memory.' } })
    return { user, memory_id, session: await openSession(user.key) }
  }

  test('the answer may reach another server than the call', async () => {
    const { user, memory_id, session } = await newMemory()
    const { question, messages } = await startForget(user.key, session, memory_id)
    expect((await answer(two, user.key, session, question.id, { action: 'accept' })).status).toBe(
      202,
    )
    const { value } = await messages.next()
    expect(value).toMatchObject({ id: 1, result: { structuredContent: { forgotten: true } } })
    expect(await isKept(user, memory_id)).toBe(false)
  })

  test('an answer of another user, in another session, or to another question counts for nothing', async () => {
    const { user, memory_id, session } = await newMemory()
    const other = await newMemory()
    const { question, messages } = await startForget(user.key, session, memory_id)
    const accept = { action: 'accept' }
    for (const on of [one, two])
      for (const response of [
        await answer(on, other.user.key, session, question.id, accept),
        await answer(on, user.key, other.session, question.id, accept),
        await answer(on, user.key, session, crypto.randomUUID(), accept),
      ])
        expect(response.status).toBe(202)
    await answer(one, user.key, session, question.id, { action: 'decline' })
    expect((await messages.next()).value).toMatchObject({
      result: { structuredContent: { forgotten: false } },
    })
  })

  test('an answer too long for a notification to the other server ends the call as cancelled', async () => {
    const { user, memory_id, session } = await newMemory()
    const { question, messages } = await startForget(user.key, session, memory_id)
    const pad = 'x'.repeat(9_000)
    await answer(two, user.key, session, question.id, { action: 'accept', content: { pad } })
    expect((await messages.next()).value).toMatchObject({
      result: { structuredContent: { forgotten: false } },
    })
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('a key that is narrowed or paused while the user is asked forgets nothing', async () => {
    for (const change of [{ scopes: ['memory:read' as const] }, { paused: true }]) {
      const { user, memory_id } = await newMemory()
      const { id: key_id, key } = await keyOf(user)
      const session = await openSession(key)
      const { question, messages } = await startForget(key, session, memory_id)
      const manage = createClient({ baseUrl: one.url, credential: user.accessToken })
      await manage.call(updateKey, { params: { key_id }, body: change })
      const { status } = await answer(one, key, session, question.id, { action: 'accept' })
      if ('paused' in change) {
        // The answer is refused. The call ends when the server has waited long enough, or the client leaves.
        expect(status).toBe(403)
      } else expect((await messages.next()).value).toMatchObject({ result: { isError: true } })
      expect(await isKept(user, memory_id)).toBe(true)
    }
  })

  test('a user has at most 20 waiting questions, and an answer makes room', async () => {
    const { user, memory_id, session } = await newMemory()
    const open = await Promise.all(
      Array.from({ length: 20 }, () => startForget(user.key, session, memory_id)),
    )
    const refused = await startCall(user.key, session, memory_id)
    const { value } = await refused.messages.next()
    expect(value).toMatchObject({ result: { isError: true } })
    expect(JSON.stringify(value)).toContain('20 questions to the user wait for an answer')
    const other = await newMemory()
    open.push(await startForget(other.user.key, other.session, other.memory_id))
    const [first] = open
    await answer(one, user.key, session, first?.question.id, { action: 'decline' })
    await first?.messages.next()
    open.push(await startForget(user.key, session, memory_id))
    for (const { disconnect } of open) disconnect.abort()
  })

  test('an error of the client, and a nonsense answer, keep the memory', async () => {
    for (const result of [{ action: 'accepted' }, {}, { action: 'decline', content: 'x' }]) {
      const { user, memory_id, session } = await newMemory()
      const { question, messages } = await startForget(user.key, session, memory_id)
      await answer(one, user.key, session, question.id, result)
      expect((await messages.next()).value).toMatchObject({
        result: { structuredContent: { forgotten: false } },
      })
      expect(await isKept(user, memory_id)).toBe(true)
    }
  })

  test('a client that disconnects keeps the memory, also if its answer comes later', async () => {
    const { user, memory_id, session } = await newMemory()
    const { disconnect, question } = await startForget(user.key, session, memory_id)
    disconnect.abort()
    await answer(two, user.key, session, question.id, { action: 'accept' })
    const again = await startForget(user.key, session, memory_id)
    await answer(one, user.key, session, again.question.id, { action: 'cancel' })
    await again.messages.next()
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('a server that stops ends the question, and keeps the memory', async () => {
    const { user, memory_id } = await newMemory()
    const third = await startServer({}, database)
    let asked = () => {}
    const wasAsked = new Promise<void>((resolve) => {
      asked = resolve
    })
    await using mcp = await connectCapableOlder(third, user.key, {
      over: 'http',
      answer: () => {
        asked()
        return new Promise<never>(() => {})
      },
    })
    const call = { name: 'forget', arguments: { memory_id } }
    const ended = mcp.client.callTool(call).catch(() => undefined)
    await wasAsked
    await third.stop()
    expect(await ended).not.toMatchObject({ structuredContent: { forgotten: true } })
    expect(await isKept(user, memory_id)).toBe(true)
  })
})
