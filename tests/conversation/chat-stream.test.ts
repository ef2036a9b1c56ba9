import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { createClient } from '../../shared/client.ts'
import { chatStream } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, startRestartable, UUID } from '../harness/http.ts'
import {
  breaksOff,
  calls,
  endsEarly,
  fails,
  repeats,
  says,
  stalls,
  startModelServer,
} from '../harness/model-server.ts'
import { request, startServer } from '../harness/server.ts'
import {
  type ChatEvent,
  eventsIn,
  namesOf,
  openSocket,
  textOf,
  useConversation,
} from './support.ts'

const suite = useConversation()

const stream = (body: object, caller = suite.user) => suite.post('/api/chat/stream', body, caller)
const sessionOf = (events: ChatEvent[]): string => {
  const [first] = events
  if (first?.event !== 'start') throw new Error('no start')
  return first.data.session_id
}
const messagesOf = async (sessionId: string, member = suite.user) =>
  (await suite.get(`/api/sessions/${sessionId}/messages`, member)).body

const answerIn = (sessionId: string, who = suite.user) =>
  eventually(async () => (await messagesOf(sessionId, who))[1], { within: 30_000 })

/** Reads the stream; `then` runs at each delta and returns whether to stop. */
const untilDelta = async (
  body: object,
  then: (events: ChatEvent[]) => boolean | Promise<boolean>,
  user = suite.user,
): Promise<ChatEvent[]> => {
  const client = createClient({ baseUrl: suite.server.url, credential: user.key })
  const events: ChatEvent[] = []
  for await (const event of await client.call(chatStream, { body: body as { message: string } })) {
    events.push(event)
    if (event.event === 'delta' && (await then(events))) break
  }
  return events
}

/** The streams and generators of this process that are not collected: also those of other test files. */
const liveStreams = () => {
  Bun.gc(true)
  const { AsyncGenerator = 0, ReadableStream = 0 } = heapStats().objectTypeCounts
  return { generators: AsyncGenerator, streams: ReadableStream }
}

describe('a stream', () => {
  test('a stream sends start, memories, one delta for each piece, and done', async () => {
    suite.model.next(says(['One ', 'two ', 'three.'], { prompt_tokens: 9, completion_tokens: 4 }))
    const { status, headers, text } = await stream({ message: 'Count, please' })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const events = eventsIn(text)
    expect(namesOf(events)).toEqual(['start', 'memories', 'delta', 'delta', 'delta', 'done'])
    const [start, memories, , , , done] = events
    const usage = { input_tokens: 9, output_tokens: 4, estimated: false }
    expect(start?.data).toEqual({
      session_id: UUID,
      message_id: UUID,
      provider: 'openai',
      model: 'a-model',
    })
    expect(memories?.data).toEqual({ memories: [] })
    const [, answer] = await messagesOf(sessionOf(events))
    expect(done?.data).toEqual({ message: answer, usage })
    expect(answer).toMatchObject({
      id: start?.event === 'start' && start.data.message_id,
      content: 'One two three.',
      usage,
      is_partial: false,
    })
  })

  test('a stream stores exactly the text of its deltas, whatever characters they have', async () => {
    const pieces = [
      ' ',
      '\n\n',
      'Ünï',
      '𝄞',
      '👩‍👩‍',
      '👧',
      ' data: x\n\nevent: done\n\n',
      '\\',
      '"',
      '\u2028',
      ' \n',
    ]
    suite.model.next(says(pieces), says(pieces))
    const events = eventsIn((await stream({ message: 'Say anything' })).text)
    expect(textOf(events)).toBe(pieces.join(''))
    const byClient = await untilDelta({ message: 'Say anything' }, () => false)
    expect(textOf(byClient)).toBe(pieces.join(''))
    const [, answer] = await messagesOf(sessionOf(events))
    expect(answer.content).toBe(pieces.join(''))
  })

  test('a stream accepts the access token as a query parameter; the whole answer does not', async () => {
    const path = `/api/chat/stream?token=${suite.user.accessToken}`
    const answer = await request(suite.server, 'POST', path, { body: { message: 'Hi' } })
    expect([answer.status, namesOf(eventsIn(answer.text)).at(-1)]).toEqual([200, 'done'])
    const response = await request(
      suite.server,
      'POST',
      `/api/chat?token=${suite.user.accessToken}`,
      {
        body: { message: 'Hi' },
      },
    )
    expect(response.status).toBe(401)
  })

  test('a stream reports tool calls when they start and end', async () => {
    suite.model.next(calls(['recall', { query: 'boats' }]), says('No boats.'))
    const events = eventsIn((await stream({ message: 'Any boats?', tools: ['recall'] })).text)
    expect(namesOf(events)).toEqual(['start', 'memories', 'tool', 'tool', 'delta', 'done'])
    const tool = { name: 'recall', id: expect.any(String), input: { query: 'boats' } }
    expect([events[2]?.data, events[3]?.data]).toEqual([
      { ...tool, state: 'running' },
      { ...tool, state: 'done' },
    ])
  })
})

describe('a client that disconnects', () => {
  test('a client that disconnects aborts the model at once; the partial answer is stored and marked', async () => {
    suite.model.next(stalls(['Once upon ', 'a time']))
    const events = await untilDelta(
      { message: 'Tell me a tale' },
      (events) => textOf(events).length > 12,
    )
    const call = await suite.model.nextCall()
    await call.disconnected
    const answer = await answerIn(sessionOf(events))
    expect(answer).toMatchObject({ content: 'Once upon a time', is_partial: true })
    expect(answer.usage).toMatchObject({ estimated: true })
    const session = (await suite.get(`/api/sessions/${sessionOf(events)}`)).body
    expect(session.unread).toBe(true)
  })

  test('a client that disconnects before the first delta aborts the model; the question stays and can be sent again', async () => {
    suite.model.next(stalls())
    const { id } = (await suite.post('/api/sessions', {})).body
    const abort = new AbortController()
    const client = createClient({ baseUrl: suite.server.url, credential: suite.user.key })
    const answered = client.call(chatStream, {
      body: { message: 'Are you there?', session_id: id },
      signal: abort.signal,
    })
    answered.catch(() => {})
    const call = await suite.model.nextCall()
    abort.abort(new Error('disconnected'))
    await call.disconnected
    expect(await messagesOf(id)).toMatchObject([{ content: 'Are you there?' }])
    await stream({ message: 'Are you there?', session_id: id })
    const messages = await messagesOf(id)
    expect(messages.map((m: { content: string }) => m.content)).toEqual([
      'Are you there?',
      'Hello.',
    ])
  })

  test('a client that disconnects aborts only its own stream: 200 disconnects store 200 partial answers and leak no stream', async () => {
    const before = liveStreams()
    suite.model.always(repeats('on and on '))
    const sessions: string[] = []
    for (let round = 0; round < 10; round++)
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const events = await untilDelta({ message: 'Go on for ever' }, () => true)
          sessions.push(sessionOf(events))
        }),
      )
    for (let call = 0; call < 200; call++) await (await suite.model.nextCall()).disconnected
    expect(new Set(sessions).size).toBe(200)
    for (const session of sessions.slice(-20))
      expect(await answerIn(session)).toMatchObject({
        is_partial: true,
        content: expect.stringMatching(/^(on and on )+$/),
      })
    // All streams and generators are collected, in the server and in the clients. After the answers: a
    // collection blocks the server too, and PostgreSQL ends a transaction that is idle for five seconds.
    await eventually(
      () => {
        const { generators, streams } = liveStreams()
        return generators < before.generators + 60 && streams < before.streams + 60
      },
      { every: 1_000 },
    )
  })

  test('a client that disconnects without reading anything aborts the model too', async () => {
    suite.model.next(repeats('x'.repeat(1_000)))
    const socket = await openSocket(suite.server.url, '/api/chat/stream', suite.user.key, {
      message: 'Much',
    })
    await once(socket, 'data')
    socket.pause()
    const call = await suite.model.nextCall()
    socket.destroy()
    await call.disconnected
  })
})

describe('a model that breaks off', () => {
  test('a model that breaks off ends the stream with an error event; the partial answer is stored and marked', async () => {
    for (const how of ['ends early', 'drops the connection']) {
      const received = Promise.withResolvers<void>()
      const pieces = ['As I was ', 'saying']
      suite.model.next(
        how === 'ends early' ? endsEarly(pieces) : breaksOff(pieces, received.promise),
      )
      const events = await untilDelta({ message: 'Go ahead' }, () => {
        received.resolve()
        return false
      })
      expect(events.at(-1)).toEqual({
        event: 'error',
        data: { detail: 'The model failed to answer' },
      })
      expect('As I was saying').toStartWith(textOf(events))
      const [, answer] = await messagesOf(sessionOf(events))
      expect(answer).toMatchObject({ content: textOf(events), is_partial: true })
      // A success resets the breaker.
      await stream({ message: 'And now?' })
    }
  })

  test('a model that breaks off is replaced by the next provider where the answer is not streamed', async () => {
    suite.model.next(endsEarly('As I'))
    const { status, body } = await suite.post('/api/chat', { message: 'Go ahead' })
    expect([status, body.message.provider, body.message.is_partial]).toEqual([200, 'local', false])
    await stream({ message: 'And now?' })
  })
})

describe('100 concurrent streams', () => {
  test('100 concurrent streams all end with done', async () => {
    suite.model.always(says(['a', 'b', 'c']))
    const all = await Promise.all(
      Array.from({ length: 100 }, () => stream({ message: 'All together' })),
    )
    for (const { text } of all) {
      expect(textOf(eventsIn(text))).toBe('abc')
      expect(namesOf(eventsIn(text)).at(-1)).toBe('done')
    }
  })
})

describe('without a local fallback', () => {
  test('a model failure is a JSON error, and the third one opens the breaker', async () => {
    await using model = await startModelServer()
    await using server = await startServer({
      SVC_OPENAI_BASE_URL: model.url,
      SVC_CHAT_MODEL: 'a-model',
      SVC_CHAT_FALLBACK: 'none',
    })
    const user = await newVerifiedUser(server)
    const send = (path: string) =>
      request(server, 'POST', path, { token: user.key, body: { message: 'Is anyone there?' } })
    const ready = async () => (await request(server, 'GET', '/api/ready')).status
    expect(await ready()).toBe(200)
    model.always(fails(500))
    for (const path of ['/api/chat', '/api/chat/stream', '/api/talk/stream']) {
      const { status, headers, body } = await send(path)
      expect([status, body]).toEqual([502, { detail: 'The model failed to answer' }])
      expect(headers.get('content-type')).toStartWith('application/json')
    }
    // Three failures opened the breaker.
    const callsBefore = model.calls.length
    for (const path of ['/api/chat', '/api/chat/stream', '/api/talk', '/api/talk/stream'])
      expect((await send(path)).status).toBe(503)
    expect(model.calls).toHaveLength(callsBefore)
    expect(await ready()).toBe(503)
    // The sessions of failed turns are deleted.
    const sessions = await request(server, 'GET', '/api/sessions', { token: user.key })
    expect(sessions.body).toEqual([])
    // The local provider answers where the request names it.
    const local = await request(server, 'POST', '/api/chat', {
      token: user.key,
      body: { message: 'Is anyone there?', provider: 'local' },
    })
    expect([local.status, local.body.message.provider]).toEqual([200, 'local'])
  })
})

describe('stopping the server', () => {
  test('stopping the server ends its streams with an error event and stores the partial answers', async () => {
    await using model = await startModelServer()
    await using restartable = await startRestartable({
      SVC_OPENAI_BASE_URL: model.url,
      SVC_CHAT_MODEL: 'a-model',
    })
    const user = await newVerifiedUser(restartable.current)
    model.always(stalls('So far'))
    const client = createClient({ baseUrl: restartable.current.url, credential: user.key })
    const events: ChatEvent[] = []
    let restarted: Promise<void> | undefined
    for await (const event of await client.call(chatStream, { body: { message: 'Tell me' } })) {
      events.push(event)
      if (event.event === 'delta') restarted ??= restartable.restart()
    }
    expect(events[0]?.event).toBe('start')
    expect(events.at(-1)).toEqual({
      event: 'error',
      data: { detail: 'The server is stopping; try again' },
    })
    await (await model.nextCall()).disconnected
    await restarted
    const path = `/api/sessions/${sessionOf(events)}/messages`
    const { body } = await request(restartable.current, 'GET', path, { token: user.key })
    expect(body).toMatchObject([
      { content: 'Tell me' },
      { content: 'So far', is_partial: true, provider: 'openai' },
    ])
  })
})
