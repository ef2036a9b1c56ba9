import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  getMemory,
  listConflicts,
  listMemories,
  remember,
  restoreMemory,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { factsOf, write } from '../harness/facts.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { type Asked, connectCapable, connectCapableOlder } from './capable-client.ts'
import { CURRENT, connectOlderHttp, textOf } from './client.ts'

const server = useServer()

const ways = [
  ['over HTTP', connectCapable, 'http'],
  ['over stdio', connectCapable, 'stdio'],
  ['over stdio with an older client', connectCapableOlder, 'stdio'],
  ['over HTTP with an older client', connectCapableOlder, 'http'],
] as const

const withMemory = async (content: string) => {
  const user = await newUser(server.current)
  const [memory_id = ''] = await write(user.client, content)
  return { user, memory_id }
}

/** The number of contradictions, once the facts of all memories have been read. */
const countConflicts = async ({ client }: TestUser): Promise<number> => {
  const { memories } = await client.call(listMemories, { query: {} })
  for (const { memory_id } of memories) await factsOf(client, memory_id)
  return (await client.call(listConflicts)).conflicts.length
}

const isKept = async ({ client }: TestUser, memory_id: string): Promise<boolean> =>
  client.call(getMemory, { params: { memory_id } }).then(
    () => true,
    () => false,
  )

describe('forget asks the user', () => {
  for (const [name, connect, over] of ways) {
    test(`${name}: a declined or cancelled question keeps the memory, an accepted one deletes it`, async () => {
      const { user, memory_id } = await withMemory('The attic code is 0815.')
      const asked: Asked[] = []
      const actions = ['decline', 'cancel', 'accept'] as const
      await using mcp = await connect(server.current, user.key, {
        over,
        answer(question) {
          asked.push(question)
          return { action: actions[asked.length - 1] ?? 'cancel' }
        },
      })
      const forget = () => mcp.client.callTool({ name: 'forget', arguments: { memory_id } })
      for (const _ of ['decline', 'cancel']) {
        const result = await forget()
        expect(result.structuredContent).toEqual({ memory_id, forgotten: false })
        expect(textOf(result)).toStartWith(`The user declined: ${memory_id} is kept.`)
        expect(await isKept(user, memory_id)).toBe(true)
      }
      expect((await forget()).structuredContent).toEqual({ memory_id, forgotten: true })
      expect(await isKept(user, memory_id)).toBe(false)
      expect(asked.map(({ message }) => message)).toEqual(
        Array(3).fill(
          'Forget this memory?\n\n“The attic code is 0815.”\n\nFor 30 days it can be restored.',
        ),
      )
    })
  }

  test('clients without elicitation forget as before, of both generations', async () => {
    const { user, memory_id } = await withMemory('The attic code is 0815.')
    await using current = await connectCapable(server.current, user.key, { over: 'http' })
    const forgotten = { memory_id, forgotten: true }
    const call = { name: 'forget', arguments: { memory_id } }
    expect((await current.client.callTool(call)).structuredContent).toEqual(forgotten)
    await user.client.call(restoreMemory, { params: { memory_id } })
    await using older = await connectOlderHttp(server.current, user.key)
    expect((await older.call('forget', { memory_id })).structuredContent).toEqual(forgotten)
  })

  test('a client that announces elicitation and refuses the question keeps the memory', async () => {
    const { user, memory_id } = await withMemory('The attic code is 0815.')
    await using mcp = await connectCapableOlder(server.current, user.key, {
      over: 'stdio',
      answer: () => {
        throw new Error('not implemented')
      },
    })
    const result = await mcp.client.callTool({ name: 'forget', arguments: { memory_id } })
    expect(result.isError).toBe(true)
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('a memory that there is not is refused without a question', async () => {
    const { user } = await withMemory('A memory.')
    await using mcp = await connectCapable(server.current, user.key, {
      over: 'http',
      answer: () => expect.unreachable(),
    })
    const memory_id = crypto.randomUUID()
    const result = await mcp.client.callTool({ name: 'forget', arguments: { memory_id } })
    expect(textOf(result)).toStartWith('Memory not found. Call recall or list')
  })
})

describe('the state of a question', () => {
  /** A call as a client sends it, with what it chooses to send along. */
  const post = async (key: string, name: string, input: object, round: object = {}) => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': CURRENT,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    }
    const { body } = await request(server.current, 'POST', '/api/mcp', {
      token: key,
      headers: {
        accept: 'application/json, text/event-stream',
        ...{ 'mcp-protocol-version': CURRENT, 'mcp-method': 'tools/call', 'mcp-name': name },
      },
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name, arguments: input, _meta: meta, ...round },
      },
    })
    return body
  }
  const accept = { answer: { action: 'accept', content: {} } }
  const stateOf = async (key: string, memory_id: string): Promise<string> => {
    const { result } = await post(key, 'forget', { memory_id })
    expect(result.resultType).toBe('input_required')
    return result.requestState
  }

  test('an answer without the state, or with that of another memory, asks again', async () => {
    const { user, memory_id } = await withMemory('One.')
    const other = await user.client.call(remember, { body: { content: 'Two.' } })
    const requestState = await stateOf(user.key, other.memory_id)
    for (const round of [
      { inputResponses: accept },
      { inputResponses: accept, requestState },
      { requestState: await stateOf(user.key, memory_id) },
    ]) {
      const { result } = await post(user.key, 'forget', { memory_id }, round)
      expect(result.resultType).toBe('input_required')
    }
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('a forged state, and that of another user, are refused', async () => {
    const { user, memory_id } = await withMemory('One.')
    const requestState = await stateOf(user.key, memory_id)
    const stranger = await withMemory('Three.')
    const foreign = await stateOf(stranger.user.key, stranger.memory_id)
    const [version, payload = '', mac] = requestState.split('.')
    const changed = Buffer.from(payload, 'base64url')
      .toString()
      .replace(/\d{4}-/, '2001-')
    const forged = [version, Buffer.from(changed).toString('base64url'), mac].join('.')
    for (const state of [foreign, forged, `${requestState}x`, 'x', '']) {
      const round = { inputResponses: accept, requestState: state }
      const { error } = await post(user.key, 'forget', { memory_id }, round)
      expect([state, error?.code, error?.message]).toEqual([
        state,
        -32_602,
        'Invalid or expired requestState',
      ])
    }
    expect(await isKept(user, memory_id)).toBe(true)
  })

  test('an answer that is sent again does not forget a memory that was restored', async () => {
    const { user, memory_id } = await withMemory('One.')
    const round = { inputResponses: accept, requestState: await stateOf(user.key, memory_id) }
    const { result } = await post(user.key, 'forget', { memory_id }, round)
    expect(result.structuredContent).toEqual({ memory_id, forgotten: true })
    await user.client.call(restoreMemory, { params: { memory_id } })
    const again = await post(user.key, 'forget', { memory_id }, round)
    expect(again.result.resultType).toBe('input_required')
    expect(await isKept(user, memory_id)).toBe(true)
  })
})

describe('a memory that contradicts another one', () => {
  const contents = ['I live in Lisbon.', 'I live in Porto.'] as const

  for (const [name, connect, over] of ways) {
    test(`${name}: the user chooses which one holds`, async () => {
      const { user, memory_id: first } = await withMemory(contents[0])
      const asked: Asked[] = []
      await using mcp = await connect(server.current, user.key, {
        over,
        answer(question) {
          asked.push(question)
          return { action: 'accept', content: { choice: 'Lisbon' } }
        },
      })
      const result = await mcp.client.callTool({
        name: 'remember',
        arguments: { content: contents[1] },
      })
      expect(asked).toHaveLength(1)
      expect(asked[0]?.message).toContain('- Porto: “I live in Porto.”')
      expect(asked[0]?.requestedSchema.properties.choice?.enum).toEqual([
        'Porto',
        'Lisbon',
        'Keep both',
      ])
      expect(textOf(result)).toContain('; the user chose "Lisbon"')
      expect(result.structuredContent).toMatchObject({ superseded_by: first, deduplicated: false })
      expect(await countConflicts(user)).toBe(0)
      const { memories } = await user.client.call(listMemories, { query: {} })
      expect(memories.filter(({ content_text }) => content_text === contents[1])).toHaveLength(1)
    })
  }

  test('the user keeps both, or skips the question, and both memories stay', async () => {
    for (const answer of [
      { action: 'accept', content: { choice: 'Keep both' } },
      { action: 'decline' },
      { action: 'accept', content: { choice: 5 } },
    ] as never[]) {
      const { user } = await withMemory(contents[0])
      await using mcp = await connectCapable(server.current, user.key, {
        over: 'http',
        answer: () => answer,
      })
      const call = { name: 'remember', arguments: { content: contents[1] } }
      const result = await mcp.client.callTool(call)
      expect(result.isError).toBeFalsy()
      expect(result.structuredContent).not.toHaveProperty('superseded_by')
      expect(await countConflicts(user)).toBe(1)
    }
  })

  test('a correction that contradicts another memory asks too', async () => {
    const { user } = await withMemory(contents[0])
    const { memory_id } = await user.client.call(remember, { body: { content: 'I live here.' } })
    await using mcp = await connectCapable(server.current, user.key, {
      over: 'http',
      answer: () => ({ action: 'accept', content: { choice: 'Porto' } }),
    })
    const result = await mcp.client.callTool({
      name: 'update',
      arguments: { memory_id, content: contents[1] },
    })
    expect(result.structuredContent).toMatchObject({ memory_id, changed: true })
    expect(textOf(result)).toContain('; the user chose "Porto"')
    expect(await countConflicts(user)).toBe(0)
  })

  test('a client without elicitation stores it without a question', async () => {
    const { user } = await withMemory(contents[0])
    await using mcp = await connectCapable(server.current, user.key, { over: 'http' })
    const call = { name: 'remember', arguments: { content: contents[1] } }
    const result = await mcp.client.callTool(call)
    expect(result.structuredContent).not.toHaveProperty('settled')
    expect(await countConflicts(user)).toBe(1)
  })
})

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
        ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
        params: {
          ...{ protocolVersion: '2025-11-25', capabilities: { elicitation: {} } },
          clientInfo: { name: 'raw', version: '1' },
        },
      },
    })
    return opened.get('mcp-session-id') ?? ''
  }

  /** Starts a call. @returns its messages, the first of which is the question. */
  const startForget = async (key: string, session: string, memory_id: string) => {
    const disconnect = new AbortController()
    const response = await fetch(new URL('/api/mcp', one.url), {
      method: 'POST',
      signal: disconnect.signal,
      headers: {
        ...headers(session),
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'forget', arguments: { memory_id } },
      }),
    })
    const messages = messagesOf(response)
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
    // Too long for a notification to the other server.
    await answer(two, user.key, session, question.id, { ...accept, pad: 'x'.repeat(9_000) })
    await answer(one, user.key, session, question.id, { action: 'decline' })
    expect((await messages.next()).value).toMatchObject({
      result: { structuredContent: { forgotten: false } },
    })
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
