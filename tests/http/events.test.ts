import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect } from 'node:net'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { ApiError } from '../../server/platform/http/error.ts'
import { respondWithEvents } from '../../server/platform/http/events.ts'
import { createOpenStreams, type OpenStreams } from '../../server/platform/http/open-streams.ts'
import { type HttpContext, mounting } from '../../server/platform/http/route.ts'
import { createLog } from '../../server/platform/log.ts'
import { createClient, Unreachable } from '../../shared/client.ts'
import { asStream, endpoint, events } from '../../shared/contract/index.ts'

setDefaultTimeout(60_000)

const Told = events({
  start: Type.Object({ id: Type.Integer() }),
  delta: Type.Object({ text: Type.String() }),
})
type Told = { event: 'start'; data: { id: number } } | { event: 'delta'; data: { text: string } }

const tell = endpoint({
  name: 'tell',
  method: 'POST',
  path: '/tell',
  tag: 'Test',
  summary: 'Tells',
  credential: 'bearer',
  success: [200, Told],
})
const either = endpoint({
  name: 'either',
  method: 'POST',
  path: '/either',
  tag: 'Test',
  summary: 'Tells, or answers',
  credential: 'none',
  success: [200, Type.Null()],
  streamed: Told,
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

/** What the endpoint tells; each test sets its own. */
let teller: (signal: AbortSignal) => AsyncIterable<Told>
let log: string[] = []
const delta = (text: string): Told => ({ event: 'delta', data: { text } })

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
      authenticate: {
        accessToken: async (token: string) => {
          if (token !== 'good') throw new ApiError(401, 'Could not validate credentials')
          return {}
        },
      },
    } as unknown as HttpContext,
  )
  mount(tell, ({ signal }) => teller(signal))
  mount(either, ({ wantsStream, signal }) => (wantsStream ? teller(signal) : null))
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
  fetch(`${server.url}/tell${query}`, { method: 'POST', headers })
const client = () => createClient({ baseUrl: server.url, credential: 'good' })
const gather = async <T>(parts: AsyncIterable<T>): Promise<T[]> => Array.fromAsync(parts)

describe('server-sent events', () => {
  test('come as an event with its name and JSON on one line, in order', async () => {
    teller = async function* () {
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

  test('are read by the typed client as they come, however they are cut', async () => {
    const goOn = Promise.withResolvers<void>()
    teller = async function* () {
      yield delta('one')
      await goOn.promise
      yield delta('two'.repeat(100_000))
    }
    const told: unknown[] = []
    for await (const event of await client().call(tell)) {
      told.push(event)
      goOn.resolve()
    }
    expect(told).toEqual([delta('one'), delta('two'.repeat(100_000))])
  })

  test('carry nothing that is not declared', async () => {
    teller = async function* () {
      yield { event: 'start', data: { id: 1, secret: 'x' } } as Told
    }
    expect(await gather(await client().call(tell))).toEqual([{ event: 'start', data: { id: 1 } }])
  })

  test('are many at once', async () => {
    teller = async function* () {
      for (let id = 0; id < 5_000; id++) yield { event: 'start', data: { id } }
    }
    const counts = await Promise.all(
      Array.from({ length: 5 }, async () => (await gather(await client().call(tell))).length),
    )
    expect(counts).toEqual([5_000, 5_000, 5_000, 5_000, 5_000])
  })
})

test('a comment is sent wherever nothing is told for a while, and says nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const quiet = async function* () {
    yield delta('one')
    await promise
    yield delta('two')
  }
  const response = await respondWithEvents(quiet(), {
    part: Told.stream.part,
    status: 200,
    streams: createOpenStreams(),
    abort() {},
    failed() {},
    heartbeatMs: 5,
  })
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += new TextDecoder().decode(bytes)
    if (text.endsWith(': \n\n: \n\n')) resolve()
  }
  expect(text).toMatch(/^event: delta\n.*\n\n(: \n\n)+event: delta\n.*\n\n$/)
})

describe('an error', () => {
  test('before the first event is an answer of its own', async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    teller = async function* () {
      throw new ApiError(503, 'Nobody answers')
    }
    const response = await call()
    expect([response.status, await response.json()]).toEqual([503, { detail: 'Nobody answers' }])
  })

  test('after it is the last event', async () => {
    teller = async function* () {
      yield delta('one')
      throw new ApiError(502, 'The model broke off')
    }
    expect(await gather(await client().call(tell))).toEqual([
      delta('one'),
      { event: 'error', data: { detail: 'The model broke off' } },
    ])
  })

  test('that nobody expected says no more than that, and is logged', async () => {
    log = []
    teller = async function* () {
      yield delta('one')
      throw new Error('a secret cause')
    }
    const [, last] = await gather(await client().call(tell))
    expect(last).toEqual({ event: 'error', data: { detail: 'Internal server error' } })
    expect(log.join('')).toContain('a secret cause')
  })
})

describe('a reader who leaves', () => {
  test('ends what is told, also while it waits', async () => {
    const aborted = Promise.withResolvers<unknown>()
    const ended = Promise.withResolvers<void>()
    teller = async function* (signal) {
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
    for await (const _ of await client().call(tell)) break
    expect(await aborted.promise).toBeInstanceOf(ApiError)
    await ended.promise
  })

  test('before the first event is noticed too', async () => {
    const began = Promise.withResolvers<void>()
    const aborted = Promise.withResolvers<void>()
    teller = async function* (signal) {
      began.resolve()
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      aborted.resolve()
      signal.throwIfAborted()
    }
    const leaving = new AbortController()
    const asked = client().call(tell, { signal: leaving.signal })
    await began.promise
    leaving.abort(new Error('changed my mind'))
    await expect(asked).rejects.toThrow('changed my mind')
    await aborted.promise
  })

  test('without a word holds what is told back, instead of having it pile up', async () => {
    let told = 0
    const ended = Promise.withResolvers<void>()
    teller = async function* () {
      try {
        for (; told < 2_000; told++) yield delta('x'.repeat(64 * 1024))
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
      'POST /tell HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Length: 0\r\n\r\n',
    )
    await first.promise
    // It stands still once the sockets' buffers are full.
    let before = -1
    while (before !== told) {
      before = told
      await Bun.sleep(300)
    }
    expect(told).toBeLessThan(1_000)
    socket.destroy()
    await ended.promise
  })
})

describe('a server that stops', () => {
  test('ends streams with an error event, and waits for what goes with them', async () => {
    const own = open()
    const aborted = Promise.withResolvers<void>()
    const isSaved = Promise.withResolvers<void>()
    let saved = false
    teller = async function* (signal) {
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
    const parts = await createClient({ baseUrl: own.url, credential: 'good' }).call(tell)
    const told: unknown[] = []
    let closed: Promise<void> | undefined
    for await (const part of parts) {
      told.push(part)
      closed ??= own.streams.close()
      if (told.length === 2) isSaved.resolve()
    }
    expect(told).toEqual([
      delta('one'),
      { event: 'error', data: { detail: 'The server is stopping; try again' } },
    ])
    await aborted.promise
    await closed
    expect(saved).toBe(true)
    own.stop()
  })

  test('at once looks to the client like a broken connection', async () => {
    const own = open()
    teller = async function* () {
      yield delta('one')
      await new Promise(() => {})
    }
    const parts = await createClient({ baseUrl: own.url, credential: 'good' }).call(tell)
    const read = async () => {
      for await (const _ of parts) own.stop()
    }
    await expect(read()).rejects.toBeInstanceOf(Unreachable)
  })
})

describe('the token of the query', () => {
  beforeAll(() => {
    teller = async function* () {
      yield delta('one')
    }
  })

  test('is a credential for streams, and for nothing else', async () => {
    expect((await call('?token=good', {})).status).toBe(200)
    expect((await call('?token=bad', {})).status).toBe(401)
    expect((await call('?token=', {})).status).toBe(401)
    expect((await call('', {})).status).toBe(401)
    const elsewhere = await fetch(`${server.url}/plain?token=good`, { method: 'POST' })
    expect(elsewhere.status).toBe(401)
  })

  test('stands behind a header', async () => {
    expect((await call('?token=good', { authorization: 'Bearer bad' })).status).toBe(401)
    expect((await call('?token=bad')).status).toBe(200)
  })

  test('is not in the log', async () => {
    log = []
    await call('?token=a-long-secret-token', {})
    expect(log.join('')).not.toContain('a-long-secret-token')
  })
})

describe('an endpoint that answers either way', () => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/either`, { method: 'POST', headers })

  test('streams to whoever accepts a stream', async () => {
    const response = await ask({ accept: 'text/event-stream' })
    expect(await response.text()).toStartWith('event: delta\n')
    expect(await gather(await client().call(asStream(either)))).toEqual([delta('one')])
  })

  test('and answers others as its row says', async () => {
    for (const headers of [{}, { accept: 'application/json' }, { accept: '*/*' }]) {
      const response = await ask(headers as Record<string, string>)
      expect([response.status, await response.text()]).toEqual([200, 'null'])
    }
    expect(await client().call(either)).toBe(null)
  })
})
