import { describe, expect, test } from 'bun:test'
import type { ServerResponse } from 'node:http'
import {
  ApiFailure,
  CutOff,
  createClient,
  NotSvc,
  OtherVersion,
  StreamFailed,
  TimedOut,
  Unreachable,
} from '../../clients/npm/index.ts'
import type { ClientOptions } from '../../clients/npm/options.ts'
import {
  events,
  hangsUp,
  isSilent,
  type Reply,
  says,
  saysText,
  startScripted,
  starts,
} from './scripted-server.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Server-sent events, and then `end`: the response ends, breaks off or goes on. */
const streams =
  (parts: { event: string; data: unknown }[], end: (response: ServerResponse) => void): Reply =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(events(...parts.map(({ event, data }): [string, unknown] => [event, data])))
    end(response)
  }

const HEALTHY = says(200, { status: 'ok' })
const KEY = says(201, { id: '1', name: 'a', key: 'svc_a' })
const BUSY = says(503, { detail: 'The database is not available; try again' })
const limited = (headers: Record<string, string>) => says(429, { detail: 'Too many.' }, headers)

const start = async (replies: Reply[], options: Partial<ClientOptions> = {}) => {
  const server = await startScripted(...replies)
  const { methods } = createClient({ baseUrl: server.url, apiKey: 'svc_key', ...options })
  return { methods, requests: server.received, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const failureOf = (call: Promise<unknown>): Promise<Error> =>
  call.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error: Error) => error,
  )

/** Reads a stream to its end. */
const readAll = async (stream: Promise<AsyncIterable<unknown>>): Promise<unknown[]> => {
  const parts: unknown[] = []
  for await (const part of await stream) parts.push(part)
  return parts
}

describe('retries of svc-client', () => {
  test('a 429 with Retry-After in seconds is repeated, also for a write', async () => {
    await using client = await start([limited({ 'retry-after': '0' }), KEY])
    await client.methods.createKey({ name: 'a' })
    expect(client.requests).toHaveLength(2)
  })

  test('a date in Retry-After counts from the Date of the response, whatever the clock of the client', async () => {
    const now = 'Tue, 01 Jan 2041 00:00:00 GMT'
    await using client = await start([limited({ 'retry-after': now, date: now }), KEY])
    await client.methods.createKey({ name: 'a' })
    expect(client.requests).toHaveLength(2)
  })

  test('a date that has passed is no wait', async () => {
    const past = 'Tue, 01 Jan 2019 00:00:00 GMT'
    await using client = await start([limited({ 'retry-after': past }), HEALTHY])
    await client.methods.health({})
    expect(client.requests).toHaveLength(2)
  })

  test('a longer wait than the bound is reported at once', async () => {
    const date = 'Tue, 01 Jan 2041 00:00:00 GMT'
    const until = 'Tue, 01 Jan 2041 01:00:00 GMT'
    for (const headers of [{ 'retry-after': '3600' }, { 'retry-after': until, date }]) {
      await using client = await start([limited(headers)])
      const error = await failureOf(client.methods.health({}))
      expect(error).toMatchObject({
        status: 429,
        retryAfter: 3600,
        fix: 'Try again in 3600 seconds',
      })
      expect(client.requests).toHaveLength(1)
    }
  })

  test('a 429 without Retry-After, such as of a quota, is not repeated', async () => {
    const quota = { error: 'quota_exceeded', message: 'Used up.', upgrade_url: 'https://a.example' }
    await using client = await start([says(429, { detail: quota })])
    const error = await failureOf(client.methods.recall({ query: 'tea' }))
    expect(error).toMatchObject({
      reason: 'quota_exceeded',
      fix: 'Choose another tier at https://a.example',
      message: 'Used up.',
    })
    expect(client.requests).toHaveLength(1)
  })

  test('a 503 and a dropped connection are repeated for reads and idempotent writes', async () => {
    for (const failure of [BUSY, hangsUp]) {
      await using read = await start([failure, HEALTHY])
      await read.methods.health({})
      expect(read.requests).toHaveLength(2)
      await using write = await start([failure, says(201, { memory_id: '1', content_text: 'tea' })])
      await write.methods.remember({ content: 'tea' })
      expect(write.requests).toHaveLength(2)
    }
  })

  test('a write that may have been applied is not repeated', async () => {
    for (const failure of [BUSY, hangsUp]) {
      await using client = await start([failure, KEY])
      expect(await failureOf(client.methods.createKey({ name: 'a' }))).toBeInstanceOf(Error)
      expect(client.requests).toHaveLength(1)
    }
  })

  test('a memory that supersedes another is written once', async () => {
    const memory = { content: 'coffee', supersedes: '1' }
    await using one = await start([BUSY, says(201, { memory_id: '2', content_text: 'coffee' })])
    await failureOf(one.methods.remember(memory))
    await using batch = await start([BUSY, says(201, { memories: [], count: 0 })])
    await failureOf(batch.methods.rememberBatch({ memories: [memory] }))
    expect([one.requests, batch.requests].map(({ length }) => length)).toEqual([1, 1])
  })

  test('after the last retry the error is thrown', async () => {
    await using client = await start([BUSY], { maxRetries: 1 })
    expect(await failureOf(client.methods.health({}))).toMatchObject({ status: 503 })
    expect(client.requests).toHaveLength(2)
  })

  test('an abort ends the wait for a retry', async () => {
    const abort = new AbortController()
    const refuse: Reply = (response, request) => {
      limited({ 'retry-after': '20' })(response, request)
      // The client waits for 20 seconds by then.
      response.on('close', () => setTimeout(() => abort.abort(new Error('enough')), 200))
    }
    await using client = await start([refuse])
    const error = await failureOf(client.methods.health({}, { signal: abort.signal }))
    expect(error.message).toBe('enough')
    expect(client.requests).toHaveLength(1)
  })
})

describe('other services and versions', () => {
  test('a service that is not svc is recognized by its response', async () => {
    const page = saysText(200, '<!doctype html>')
    const missing = saysText(404, 'nothing here')
    for (const reply of [
      page,
      missing,
      saysText(200, '{"other":true}', JSON_TYPE),
      saysText(404, '{"detail":"Not Found"}', JSON_TYPE),
    ]) {
      await using client = await start([reply])
      const error = await failureOf(client.methods.recall({ query: 'tea' }))
      expect(error).toBeInstanceOf(NotSvc)
      expect(error.message).toMatch(/^The service at http:\/\/127\.0\.0\.1:\d+ is not svc$/)
      await expect(readAll(client.methods.chatStream({ message: 'Hi' }))).rejects.toBeInstanceOf(
        NotSvc,
      )
    }
  })

  test('an endpoint that the server does not have is of another version', async () => {
    await using client = await start([says(404, { detail: 'Not Found' })])
    const error = await failureOf(client.methods.recall({ query: 'tea' }))
    expect(error).toBeInstanceOf(OtherVersion)
    expect(error.message).toMatch(/has no POST \/api\/recall, which svc-client \d/)
  })

  test('a response of svc in another form is of another version', async () => {
    await using client = await start([says(200, { results: [] })])
    const error = await failureOf(client.methods.recall({ query: 'tea' }))
    expect(error).toBeInstanceOf(OtherVersion)
    expect(error.message).toContain('has another form')
  })

  test('a server that is down is unreachable', async () => {
    const { methods } = createClient({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
    const error = await failureOf(methods.health({}))
    expect(error).toBeInstanceOf(Unreachable)
    expect(error.message).toBe('No answer from http://127.0.0.1:9')
  })

  test('an address that is no URL is refused before a request', () => {
    expect(() => createClient({ baseUrl: 'localhost' })).toThrow(TypeError)
    expect(() => createClient({ baseUrl: 'localhost:3000' })).toThrow(
      'baseUrl must begin with http:// or https://: localhost:3000',
    )
  })

  test('a missing path parameter is refused before a request', async () => {
    await using client = await start([HEALTHY])
    const args = {} as { memory_id: string }
    await expect(client.methods.getMemory(args)).rejects.toThrow('getMemory needs memory_id')
    expect(client.requests).toEqual([])
  })

  test('a path parameter that would name another endpoint is refused before a request', async () => {
    await using client = await start([says(200, { message: 'Deleted' })])
    for (const user_id of ['', ' ', '.', '..']) {
      const removal = client.methods.removeOrgMember({ org_id: '1', user_id })
      await expect(removal).rejects.toThrow(`user_id must not be "${user_id}"`)
    }
    expect(client.requests).toEqual([])
  })
})

const DELTA = { event: 'delta', data: { text: 'Tea' } }

describe('streams', () => {
  test('a stream that ends before its last event is cut off', async () => {
    const ends = [
      (response: { end(): void }) => response.end(),
      (response: { destroy(): void }) => response.destroy(),
    ]
    for (const end of ends) {
      await using client = await start([streams([DELTA], end)])
      const error = await failureOf(readAll(client.methods.chatStream({ message: 'Hi' })))
      expect(error).toBeInstanceOf(CutOff)
      expect(error.message).toMatch(/was cut off$/)
    }
  })

  test('an event `error` is thrown after the parts before it', async () => {
    const failed = { event: 'error', data: { detail: 'The model failed' } }
    await using client = await start([streams([DELTA, failed], (response) => response.end())])
    const parts: unknown[] = []
    const read = async () => {
      for await (const part of await client.methods.chatStream({ message: 'Hi' })) parts.push(part)
    }
    const error = await failureOf(read())
    expect(error).toBeInstanceOf(StreamFailed)
    expect(error).toBeInstanceOf(ApiFailure)
    expect(error.message).toBe('The model failed')
    expect(parts).toEqual([DELTA])
  })

  test('leaving the loop closes the connection', async () => {
    const closed = Promise.withResolvers<void>()
    const open = streams([DELTA], (response) => response.on('close', closed.resolve))
    await using client = await start([open])
    for await (const _ of await client.methods.chatStream({ message: 'Hi' })) break
    await closed.promise
  })

  test('a stream without events and comments is a timeout after the parts before it', async () => {
    const parts: unknown[] = []
    await using client = await start([streams([DELTA], () => {})], { silenceMs: 100 })
    const read = async () => {
      for await (const part of await client.methods.chatStream({ message: 'Hi' })) parts.push(part)
    }
    expect(await failureOf(read())).toBeInstanceOf(TimedOut)
    expect(parts).toEqual([DELTA])
  })

  test('comments keep a stream open for longer than the silence it may have', async () => {
    const done = { event: 'done', data: {} }
    await using client = await start(
      [
        streams([DELTA], async (response) => {
          for (let comments = 0; comments < 5; comments++) {
            await Bun.sleep(300)
            response.write(': \n\n')
          }
          response.end(events(['done', {}]))
        }),
      ],
      { silenceMs: 1_000 },
    )
    expect(await readAll(client.methods.chatStream({ message: 'Hi' }))).toEqual([DELTA, done])
  })

  test('an abort ends a stream with its reason', async () => {
    const abort = new AbortController()
    await using client = await start([streams([DELTA], () => {})])
    const read = async () => {
      const { signal } = abort
      for await (const _ of await client.methods.chatStream({ message: 'Hi' }, { signal }))
        abort.abort(new Error('enough'))
    }
    expect((await failureOf(read())).message).toBe('enough')
  })
})

describe('time', () => {
  test('a response that breaks off is cut off, and one that pauses for too long is a timeout', async () => {
    const headers = { 'content-length': '100' }
    await using cut = await start([starts('application/json', '{"status":', 'cut', headers)], {
      maxRetries: 0,
    })
    expect(await failureOf(cut.methods.health({}))).toBeInstanceOf(CutOff)
    await using silent = await start([starts('application/json', '{"status":', 'silent', headers)])
    expect(await failureOf(silent.methods.health({}, { timeoutMs: 200 }))).toBeInstanceOf(TimedOut)
  })

  test('a download that has started may take longer than the timeout', async () => {
    await using client = await start([
      async (response) => {
        response.writeHead(200, { 'content-length': '6' })
        response.write('Ada')
        await Bun.sleep(1_500)
        response.end('Bob')
      },
    ])
    const file = await client.methods.getFileContent({ file_id: '1' }, { timeoutMs: 1_000 })
    expect(await (file as unknown as Blob).text()).toBe('AdaBob')
  })

  test('a timeout and an abort end the wait for an access token', async () => {
    const session = { apiKey: undefined, refreshToken: 'first' }
    const expired = says(401, { detail: 'Token expired' })
    for (const [accessToken, replies] of [
      [undefined, [isSilent]],
      ['expired', [expired, isSilent]],
    ] as const) {
      await using client = await start([...replies], { ...session, accessToken })
      const late = client.methods.me({}, { timeoutMs: 200 })
      expect(await failureOf(late)).toBeInstanceOf(TimedOut)
      const aborted = client.methods.me({}, { signal: AbortSignal.abort(new Error('enough')) })
      expect((await failureOf(aborted)).message).toBe('enough')
    }
  })

  test('a response that does not start in time is a timeout, which is not repeated', async () => {
    await using client = await start([isSilent])
    const error = await failureOf(client.methods.health({}, { timeoutMs: 20 }))
    expect(error).toBeInstanceOf(TimedOut)
    expect(client.requests).toHaveLength(1)
  })

  test('an abort ends a call with its reason', async () => {
    const abort = new AbortController()
    await using client = await start([() => abort.abort(new Error('enough'))])
    const error = await failureOf(client.methods.health({}, { signal: abort.signal }))
    expect(error.message).toBe('enough')
  })
})
