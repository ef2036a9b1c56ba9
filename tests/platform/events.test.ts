import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { createAdmission } from '../../server/platform/http/admission.ts'
import type { HttpContext } from '../../server/platform/http/context.ts'
import { ApiError } from '../../server/platform/http/error.ts'
import { mounting } from '../../server/platform/http/route.ts'
import {
  createOpenStreams,
  type OpenStreams,
  respondWithEvents,
} from '../../server/platform/http/streams.ts'
import { createLog } from '../../server/platform/log.ts'
import { createClient, Unreachable } from '../../shared/client.ts'
import { asStream, endpoint, events } from '../../shared/contract/index.ts'

setDefaultTimeout(60_000)

const TestEvent = events({
  start: Type.Object({ id: Type.Integer() }),
  delta: Type.Object({ text: Type.String() }),
})
type TestEvent =
  | { event: 'start'; data: { id: number } }
  | { event: 'delta'; data: { text: string } }

const stream = endpoint({
  name: 'stream',
  method: 'POST',
  path: '/stream',
  tag: 'Test',
  summary: 'Streams',
  credential: 'bearer',
  success: [200, TestEvent],
})
const either = endpoint({
  name: 'either',
  method: 'POST',
  path: '/either',
  tag: 'Test',
  summary: 'Streams, or answers',
  credential: 'none',
  success: [200, Type.Null()],
  streamed: TestEvent,
})
const plain = endpoint({
  name: 'plain',
  method: 'POST',
  path: '/plain',
  tag: 'Test',
  summary: 'Answers',
  credential: 'bearer',
  success: [200, Type.Object({})],
})

/** The events that the endpoint sends; each test sets its own. */
let produce: (signal: AbortSignal) => AsyncIterable<TestEvent>
let log: string[] = []
const delta = (text: string): TestEvent => ({ event: 'delta', data: { text } })

const open = (streams: OpenStreams = createOpenStreams()) => {
  const app = new Elysia()
    .onError(({ error, set }) => {
      if (!(error instanceof ApiError)) throw error
      set.status = error.status
      return { detail: error.detail }
    })
    .onRequest(({ set }) => {
      set.headers['x-request-id'] = 'id'
    })
  const mount = mounting(
    app as unknown as Elysia,
    {
      log: createLog('debug', { write: (line) => log.push(line) }),
      streams,
      admission: createAdmission(),
      authenticate: {
        accessToken: async (token: string) => {
          if (token !== 'good') throw new ApiError(401, 'Could not validate credentials')
          return { me: {} }
        },
      },
    } as unknown as HttpContext,
  )
  mount(stream, ({ signal }) => produce(signal))
  mount(either, ({ wantsStream, signal }) => (wantsStream ? produce(signal) : null))
  mount(plain, () => ({}))
  app.listen({ port: 0, hostname: '127.0.0.1' })
  return {
    url: `http://127.0.0.1:${app.server?.port}`,
    streams,
    stop: () => app.server?.stop(true),
  }
}

let server: ReturnType<typeof open>
beforeAll(() => {
  server = open()
})
afterAll(() => server.stop())

const call = (query = '', headers: Record<string, string> = { authorization: 'Bearer good' }) =>
  fetch(`${server.url}/stream${query}`, { method: 'POST', headers })
const client = () => createClient({ baseUrl: server.url, credential: 'good' })
const gather = async <T>(parts: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(parts)

describe('a stream of server-sent events', () => {
  test('a stream sends each event as its name and one line of JSON, in order', async () => {
    produce = async function* () {
      yield { event: 'start', data: { id: 1 } }
      yield delta('two\nlines: é')
    }
    const response = await call()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('x-request-id')).toBe('id')
    expect(await response.text()).toBe(
      'event: start\ndata: {"id":1}\n\nevent: delta\ndata: {"text":"two\\nlines: é"}\n\n',
    )
  })

  test('the typed client reads events as they arrive, wherever the chunks are cut', async () => {
    const goOn = Promise.withResolvers<void>()
    produce = async function* () {
      yield delta('one')
      await goOn.promise
      yield delta('two'.repeat(100_000))
    }
    const received: unknown[] = []
    for await (const event of await client().call(stream)) {
      received.push(event)
      goOn.resolve()
    }
    expect(received).toEqual([delta('one'), delta('two'.repeat(100_000))])
  })

  test('an event contains only declared fields', async () => {
    produce = async function* () {
      yield { event: 'start', data: { id: 1, secret: 'x' } } as TestEvent
    }
    expect(await gather(await client().call(stream))).toEqual([{ event: 'start', data: { id: 1 } }])
  })

  test('the server sends many streams at once', async () => {
    produce = async function* () {
      for (let id = 0; id < 5_000; id++) yield { event: 'start', data: { id } }
    }
    const counts = await Promise.all(
      Array.from({ length: 5 }, async () => (await gather(await client().call(stream))).length),
    )
    expect(counts).toEqual([5_000, 5_000, 5_000, 5_000, 5_000])
  })
})

test('an idle stream sends a comment, which the client ignores', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const quiet = async function* () {
    yield delta('one')
    await promise
    yield delta('two')
  }
  const response = await respondWithEvents(quiet(), {
    part: TestEvent.stream.part,
    status: 200,
    streams: createOpenStreams(),
    abort() {},
    onError() {},
    heartbeatMs: 5,
  })
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes)
    if (text.endsWith(': \n\n: \n\n')) resolve()
  }
  expect(text).toMatch(/^event: delta\n.*\n\n(: \n\n)+event: delta\n.*\n\n$/)
})

describe('a stream that fails', () => {
  test('an error before the first event is a JSON error response', async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    produce = async function* () {
      throw new ApiError(503, 'No one answers')
    }
    const response = await call()
    expect([response.status, await response.json()]).toEqual([503, { detail: 'No one answers' }])
  })

  test('an error after the first event is sent as the last event', async () => {
    produce = async function* () {
      yield delta('one')
      throw new ApiError(502, 'The model broke off')
    }
    expect(await gather(await client().call(stream))).toEqual([
      delta('one'),
      { event: 'error', data: { detail: 'The model broke off' } },
    ])
  })

  test('an unexpected error is reported without its cause, and is logged', async () => {
    log = []
    produce = async function* () {
      yield delta('one')
      throw new Error('a secret cause')
    }
    const [, last] = await gather(await client().call(stream))
    expect(last).toEqual({ event: 'error', data: { detail: 'Internal server error' } })
    expect(log.join('')).toContain('a secret cause')
  })
})

describe('a reader that disconnects', () => {
  test('a disconnect ends the stream, also while it waits', async () => {
    const aborted = Promise.withResolvers<unknown>()
    const ended = Promise.withResolvers<void>()
    produce = async function* (signal) {
      try {
        yield delta('one')
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve(signal.reason)
            reject(signal.reason)
          })
        })
      } finally {
        ended.resolve()
      }
    }
    for await (const _ of await client().call(stream)) break
    expect(await aborted.promise).toBeInstanceOf(ApiError)
    await ended.promise
  })

  test('a disconnect before the first event ends the stream', async () => {
    const began = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    produce = async function* (signal) {
      began.resolve()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      aborted.resolve()
      signal.throwIfAborted()
    }
    const leaving = new AbortController()
    const response = client().call(stream, { signal: leaving.signal })
    await began.promise
    leaving.abort(new Error('changed my mind'))
    await expect(response).rejects.toThrow('changed my mind')
    await aborted.promise
  })

  test('a reader that stops reading pauses the stream, so that the server buffers little', async () => {
    let sent = 0
    const ended = Promise.withResolvers<void>()
    produce = async function* () {
      try {
        for (; sent < 2_000; sent++) yield delta('x'.repeat(64 * 1024))
      } finally {
        ended.resolve()
      }
    }
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    const first = Promise.withResolvers<void>()
    socket.on('data', () => {
      socket.pause()
      first.resolve()
    })
    socket.write(
      'POST /stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 0\r\n\r\n',
    )
    await first.promise
    // The stream pauses once the sockets' buffers are full.
    let before = -1
    while (before !== sent) {
      before = sent
      await Bun.sleep(300)
    }
    expect(sent).toBeLessThan(1_000)
    socket.destroy()
    await ended.promise
  })
})

describe('a server that stops', () => {
  test('closing the open streams sends an error event to each and waits for its cleanup', async () => {
    const own = open()
    const aborted = Promise.withResolvers<void>()
    const isSaved = Promise.withResolvers<void>()
    let saved = false
    produce = async function* (signal) {
      try {
        yield delta('one')
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      } finally {
        aborted.resolve()
        await isSaved.promise
        saved = true
      }
    }
    const parts = await createClient({ baseUrl: own.url, credential: 'good' }).call(stream)
    const received: unknown[] = []
    let closed: Promise<void> | undefined
    for await (const part of parts) {
      received.push(part)
      closed ??= own.streams.close()
      if (received.length === 2) isSaved.resolve()
    }
    expect(received).toEqual([
      delta('one'),
      { event: 'error', data: { detail: 'The server is stopping; try again' } },
    ])
    await aborted.promise
    await closed
    expect(saved).toBe(true)
    own.stop()
  })

  test('the client reports a stream that is cut as unreachable', async () => {
    const own = open()
    produce = async function* () {
      yield delta('one')
      await new Promise(() => {})
    }
    const parts = await createClient({ baseUrl: own.url, credential: 'good' }).call(stream)
    const read = async () => {
      for await (const _ of parts) own.stop()
    }
    await expect(read()).rejects.toBeInstanceOf(Unreachable)
  })
})

describe('the query parameter token', () => {
  beforeAll(() => {
    produce = async function* () {
      yield delta('one')
    }
  })

  test('the query parameter token is accepted by streams and by no other endpoint', async () => {
    expect((await call('?token=good', {})).status).toBe(200)
    expect((await call('?token=bad', {})).status).toBe(401)
    expect((await call('?token=', {})).status).toBe(401)
    expect((await call('', {})).status).toBe(401)
    const elsewhere = await fetch(`${server.url}/plain?token=good`, { method: 'POST' })
    expect(elsewhere.status).toBe(401)
  })

  test('the Authorization header takes precedence over the query parameter token', async () => {
    expect((await call('?token=good', { authorization: 'Bearer bad' })).status).toBe(401)
    expect((await call('?token=bad')).status).toBe(200)
  })

  test('the query parameter token is not logged', async () => {
    log = []
    await call('?token=a-long-secret-token', {})
    expect(log.join('')).not.toContain('a-long-secret-token')
  })
})

describe('an endpoint that answers with JSON or a stream', () => {
  const send = (headers: Record<string, string>) =>
    fetch(`${server.url}/either`, { method: 'POST', headers })

  test('a request that accepts text/event-stream receives a stream', async () => {
    const response = await send({ accept: 'text/event-stream' })
    expect(await response.text()).toStartWith('event: delta\n')
    expect(await gather(await client().call(asStream(either)))).toEqual([delta('one')])
  })

  test('a request that does not accept text/event-stream receives JSON', async () => {
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
      const response = await send(headers as Record<string, string>)
      expect([response.status, await response.text()]).toEqual([200, 'null'])
    }
    expect(await client().call(either)).toBe(null)
  })
})
