import { describe, expect, test } from 'bun:test'
import {
  cutsAfter,
  eventsOf,
  hangsUp,
  says,
  sends,
  stallsAfter,
  type UpstreamCall,
} from '../harness/upstream.ts'
import { FACT, QUESTION, useProxy } from './proxy-support.ts'

const proxy = useProxy()

/** The bodies of a question, with fields that svc does not know. */
const REQUESTS = {
  '/openai/v1/chat/completions': {
    model: 'a-model',
    seed: '@BIG@',
    messages: [{ role: 'user', content: QUESTION, name: 'ada', x_new: [null] }],
    x_unknown: { a: [1.5e300, '@BIG@'] },
  },
  '/openai/v1/responses': {
    model: 'a-model',
    metadata: { id: '@BIG@' },
    input: [{ role: 'user', content: [{ type: 'input_text', text: QUESTION }] }],
    tools: [{ type: 'x_new_tool', vector_store_ids: ['@BIG@'] }],
  },
  '/anthropic/v1/messages': {
    model: 'a-model',
    max_tokens: 100,
    thinking: { type: 'x_new', budget: '@BIG@' },
    messages: [{ role: 'user', content: QUESTION, cache_control: { type: 'ephemeral' } }],
  },
}
const PATHS = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[]

/** A JSON text with spaces, escapes and numbers that JavaScript would round. */
const textOf = (path: keyof typeof REQUESTS, more: object = {}): string =>
  JSON.stringify({ ...REQUESTS[path], ...more }, null, 2)
    .replaceAll('"@BIG@"', '9007199254740993')
    .replace('"model"', '"mo\\u0064el"')

const lastCall = (): UpstreamCall => {
  const call = proxy.upstream.calls.at(-1)
  if (!call) throw new Error('the provider was not called')
  return call
}

for (const path of PATHS)
  describe(path, () => {
    test('memory off forwards the bytes of the client', async () => {
      const user = await proxy.newUser()
      const sent = textOf(path)
      await (await user.post(path, sent, { 'x-svc-memory': 'off' })).text()
      expect(lastCall().text).toBe(sent)
      expect(lastCall().path).toBe(path.replace(/^\/\w+/, ''))
    })

    test('with memory all else stays as it was written, and 2^53 + 1 too', async () => {
      const user = await proxy.newUser()
      const sent = textOf(path)
      await (await user.post(path, sent)).text()
      const { text } = lastCall()
      expect(text).toContain(FACT)
      expect(text.split('9007199254740993').length).toBe(sent.split('9007199254740993').length)
      const lines = new Set(text.split('\n'))
      const changed = sent.split('\n').filter((line) => !lines.has(line))
      expect(changed.length).toBeLessThanOrEqual(1)
    })

    test('a stream with unknown events, comments and broken UTF-8 passes byte for byte', async () => {
      const user = await proxy.newUser()
      const encoder = new TextEncoder()
      const pieces = [
        ': comment\n\n',
        'event: x.new\r\ndata: {"type":"x.new","n":9007199254740993}\r\n\r\n',
        'data: no json\n\n',
        new Uint8Array([0xff, 0xfe, 0x0a, 0x0a]),
        eventsOf(path, 'Ünïcödé 👍').slice(0, 41),
        eventsOf(path, 'Ünïcödé 👍').slice(41),
      ].map((piece) => (typeof piece === 'string' ? encoder.encode(piece) : piece))
      proxy.upstream.next(sends(pieces))
      const response = await user.post(path, textOf(path, { stream: true }))
      expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.concat(pieces))
      expect(response.headers.get('content-type')).toBe('text/event-stream')
      expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Ünïcödé 👍'])
    })

    test('the first events of a stream arrive before the upstream sends the others', async () => {
      const user = await proxy.newUser()
      proxy.upstream.next(stallsAfter('a long answer'))
      const response = await user.post(path, textOf(path, { stream: true }))
      const reader = response.body?.getReader()
      const first = await reader?.read()
      expect(new TextDecoder().decode(first?.value)).toContain('data: ')
      await reader?.cancel()
      await lastCall().disconnected
      expect(await user.captured()).toEqual([])
    })

    test('a client that disconnects before the response ends the request of the upstream', async () => {
      const user = await proxy.newUser()
      const called = Promise.withResolvers<void>()
      proxy.upstream.next(() => called.resolve())
      const abort = new AbortController()
      const asking = fetch(`${proxy.server.url}/api${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.key}` },
        body: textOf(path),
        signal: abort.signal,
      }).catch(() => 'aborted')
      await called.promise
      abort.abort()
      expect(await asking).toBe('aborted')
      await lastCall().disconnected
    })

    test('a stream that the upstream cuts off is cut off for the client, not stored and refunded', async () => {
      const user = await proxy.newUser()
      const begun = Promise.withResolvers<void>()
      proxy.upstream.next(cutsAfter('a long answer', begun.promise))
      const response = await user.post(path, textOf(path, { stream: true }))
      const reader = response.body?.getReader()
      await reader?.read()
      begun.resolve()
      const rest = async () => {
        while (!(await reader?.read())?.done);
      }
      await expect(rest()).rejects.toThrow()
      await (await user.post(path, textOf(path).replace(QUESTION, 'yes'))).text()
      expect(await user.capturedTexts(2)).toEqual(['yes', 'Hello.'])
      expect(await user.messagesUsed()).toBe(1)
    })

    test('an error of the upstream passes with its status, body and headers, and does not count', async () => {
      const user = await proxy.newUser()
      const body = '{"error": {"message":"slow down","type":"x","new":9007199254740993}}'
      const headers = {
        'content-type': 'application/json',
        'retry-after': '7',
        'x-request-id': 'req_upstream',
        'request-id': 'req_anthropic',
        'x-ratelimit-remaining-tokens': '0',
        'anthropic-ratelimit-requests-remaining': '0',
      }
      proxy.upstream.next(sends([body], 429, { ...headers, 'set-cookie': 'a=b' }))
      const response = await user.post(path, textOf(path))
      expect([response.status, await response.text()]).toEqual([429, body])
      expect(Object.fromEntries(response.headers)).toMatchObject(headers)
      expect(response.headers.has('set-cookie')).toBe(false)
      proxy.upstream.next(says('Hello.'))
      await (await user.post(path, textOf(path))).text()
      expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Hello.'])
      expect(await user.messagesUsed()).toBe(1)
    })

    test('a page of an upstream with an error passes as it is', async () => {
      const user = await proxy.newUser()
      const page = '<html><body>Internal error</body></html>'
      proxy.upstream.next(sends([page], 500, { 'content-type': 'text/html' }))
      const response = await user.post(path, textOf(path))
      expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html'])
      expect(await response.text()).toBe(page)
      expect(await user.messagesUsed()).toBe(0)
    })

    test('an upstream that closes the connection is a 502, and does not count', async () => {
      const user = await proxy.newUser()
      proxy.upstream.next(hangsUp)
      const response = await user.post(path, textOf(path))
      expect(response.status).toBe(502)
      expect(await response.json()).toMatchObject({ error: { message: expect.any(String) } })
      expect(await user.messagesUsed()).toBe(0)
    })

    test('a body that is no JSON reaches the upstream, which refuses it itself', async () => {
      const user = await proxy.newUser()
      proxy.upstream.next(sends(['{"error":"not JSON"}'], 400))
      const response = await user.post(path, '{"messages": [')
      expect([response.status, await response.text()]).toEqual([400, '{"error":"not JSON"}'])
      expect(lastCall().text).toBe('{"messages": [')
      expect(await user.messagesUsed()).toBe(0)
    })

    test('a body of 20 MB passes, and a larger one is refused', async () => {
      const user = await proxy.newUser()
      const image = 'A'.repeat(20 * 1024 * 1024 - 4_000)
      const sent = textOf(path, { x_image: image })
      await (await user.post(path, sent)).text()
      expect(lastCall().text.length).toBeGreaterThan(sent.length)
      expect(lastCall().text).toContain(FACT)
      const refused = await user.post(path, textOf(path, { x_image: `${image}${image}` }))
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ error: { message: expect.any(String) } })
    })
  })

test('200 concurrent streams arrive whole, each with its own text', async () => {
  const user = await proxy.newUser()
  const path = '/openai/v1/chat/completions'
  const answerOf = (number: number) => `answer ${number} `.repeat(500)
  proxy.upstream.next(
    ...Array.from(
      { length: 200 },
      () => (response: Parameters<ReturnType<typeof says>>[0], call: UpstreamCall) =>
        says(answerOf(Number(call.body.seed)))(response, call),
    ),
  )
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, number) => {
      const body = JSON.stringify({
        model: 'a-model',
        stream: true,
        seed: number,
        messages: [{ role: 'user', content: `yes, number ${number}` }],
      })
      const response = await user.post(path, body, { 'x-svc-memory': 'read' })
      return response.text()
    }),
  )
  for (const [number, text] of texts.entries())
    expect(text === eventsOf(path, answerOf(number))).toBe(true)
})

test('headers of the client pass, without its credentials and those of the network', async () => {
  const user = await proxy.newUser()
  const response = await user.post(
    '/anthropic/v1/messages?beta=true',
    textOf('/anthropic/v1/messages'),
    {
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'x-new-2026',
      'x-stainless-lang': 'js',
      'x-forwarded-for': '198.18.0.1',
      cookie: 'refresh_token=x',
    },
  )
  await response.text()
  const { headers, path } = lastCall()
  expect(path).toBe('/v1/messages?beta=true')
  expect(headers).toMatchObject({
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'x-new-2026',
    'x-stainless-lang': 'js',
    'x-api-key': 'sk-ant-of-the-operator',
  })
  for (const name of ['authorization', 'cookie', 'x-forwarded-for'])
    expect(headers).not.toHaveProperty([name])
  expect(JSON.stringify(headers)).not.toContain(user.key)
})

/** Bodies that no protocol allows, in places that svc reads. */
const ODD: Record<string, unknown> = {
  'messages that are null': { messages: null, input: null },
  'messages that are an object': { messages: { role: 'user' }, input: { role: 'user' } },
  'messages of other types': { messages: [1, 'x', null, [], {}], input: [1, 'x', null, [], {}] },
  'contents of other types': {
    messages: [
      { role: 'user', content: 7 },
      { role: 'user', content: [1, null, { type: 'text' }, { type: 7, text: 8 }] },
      { role: 7, content: 'yes' },
    ],
    input: [{ role: 'user', content: { text: 'yes' } }],
    system: 7,
    instructions: [],
    metadata: 'x',
    client_metadata: [],
  },
}

for (const [name, body] of Object.entries(ODD))
  test(`${name} pass unchanged`, async () => {
    const user = await proxy.newUser()
    for (const path of PATHS) {
      const sent = JSON.stringify(body)
      const response = await user.post(path, sent)
      expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
      expect(lastCall().text).toBe(sent)
    }
  })

test('ids and texts with NUL and lone surrogates pass, and are stored without them', async () => {
  const user = await proxy.newUser()
  const body = {
    model: 'a-model',
    prompt_cache_key: 'a\0\ud800',
    input: 'We moved\0 to Oslo.\ud800',
  }
  const headers = { 'user-agent': 'codex_exec/0.169.0' }
  const response = await user.post('/openai/v1/responses', JSON.stringify(body), headers)
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  expect(lastCall().text).toBe(JSON.stringify(body))
  expect((await user.capturedTexts(2))[0]).toBe('We moved to Oslo.\ufffd')
})
