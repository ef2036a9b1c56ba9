import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test'
import { newVerifiedUser } from '../harness/http.ts'
import {
  request,
  startServer,
  type TestServer,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'
import { startTranscriptionServer } from '../harness/transcription-server.ts'

setDefaultTimeout(60_000)
const MAX_BYTES = 25 * 1024 * 1024
const KEY = 'a-key-of-the-transcription-endpoint'

const endpoint = startTranscriptionServer()
let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startServer({
    SVC_TRANSCRIBE_URL: endpoint.url,
    SVC_TRANSCRIBE_MODEL: 'ears',
    SVC_TRANSCRIBE_API_KEY: KEY,
  })
  user = await newVerifiedUser(server)
}, 60_000)
afterAll(async () => {
  await server.stop()
  await endpoint[Symbol.asyncDispose]()
})
beforeEach(() => {
  endpoint.answer = undefined
  endpoint.requests.length = 0
})

interface Submission {
  content?: string | Uint8Array<ArrayBuffer>
  name?: string
  type?: string
  query?: string
  field?: string
  signal?: AbortSignal
  to?: { server: TestServer; user: TestUser }
}

const send = async ({
  content = 'some audio',
  name = 'speech.webm',
  type = 'audio/webm',
  query = '',
  field = 'file',
  signal,
  to = { server, user },
}: Submission = {}) => {
  const form = new FormData()
  form.set(field, new Blob([content], { type }), name)
  const response = await fetch(new URL(`/api/transcribe${query}`, to.server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${to.user.key}` },
    body: form,
    ...(signal && { signal }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('audio', () => {
  test('audio is sent to the endpoint, and its transcription is returned', async () => {
    const { status, body } = await send({ query: '?language=en' })
    expect([status, body]).toEqual([
      200,
      { text: 'I heard 10 bytes.', language: 'english', duration: 1.5 },
    ])
    expect(endpoint.requests).toEqual([
      {
        path: '/v1/audio/transcriptions',
        authorization: `Bearer ${KEY}`,
        model: 'ears',
        format: 'verbose_json',
        language: 'en',
        file: { name: 'audio.webm', size: 10 },
      },
    ])
  })

  test('audio is transcribed by models that reject verbose_json', async () => {
    endpoint.answer = ({ format }) =>
      format === 'json' ? undefined : new Response('{}', { status: 400 })
    const { status, body } = await send()
    expect([status, body]).toEqual([200, { text: 'I heard 10 bytes.' }])
  })

  test('audio of 25 MB is accepted, and more is 413', async () => {
    const most = await send({ content: new Uint8Array(MAX_BYTES) })
    expect([most.status, most.body.text]).toEqual([200, `I heard ${MAX_BYTES} bytes.`])
    const over = await send({ content: new Uint8Array(MAX_BYTES + 1) })
    expect([over.status, over.body]).toEqual([413, { detail: 'The audio is larger than 25 MB' }])
    expect(endpoint.requests).toHaveLength(1)
  })

  for (const [type, name, expected] of [
    ['application/octet-stream', 'x.MP3', 'audio.mp3'],
    ['audio/mp4', 'blob', 'audio.m4a'],
    ['video/mp4', '../../x', 'audio.mp4'],
  ] as const)
    test(`audio sent as ${type} and ${name} is forwarded as ${expected}`, async () => {
      expect((await send({ type, name })).status).toBe(200)
      expect(endpoint.requests[0]?.file.name).toBe(expected)
    })
})

const COMPRESSED = { headers: { 'content-encoding': 'gzip' } }

const endlessText = () => {
  const piece = Buffer.from('and so on, '.repeat(10_000))
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('{"text": "')),
    async pull(controller) {
      controller.enqueue(piece)
      await Bun.sleep(0)
    },
  })
}

describe('502 is returned when the endpoint', () => {
  const failures: [string, () => Response][] = [
    ['fails', () => new Response('a secret cause', { status: 500 })],
    ['rejects the key', () => new Response('{"error": "bad key"}', { status: 401 })],
    ['rejects the audio', () => new Response('{}', { status: 400 })],
    ['returns no JSON', () => new Response('<html>')],
    ['returns other JSON', () => Response.json({ words: [] })],
    ['returns compressed JSON', () => new Response(Bun.gzipSync('{"text": "tea"}'), COMPRESSED)],
    ['returns JSON without an end', () => new Response(endlessText())],
    ['redirects', () => Response.redirect('http://127.0.0.1:1/', 307)],
  ]
  for (const [what, answer] of failures)
    test(what, async () => {
      endpoint.answer = answer
      const { status, body } = await send()
      expect([status, body]).toEqual([502, { detail: 'The transcription endpoint failed' }])
    })

  test('502 is returned when the endpoint cannot be reached', async () => {
    await using deaf = await startServer({ SVC_TRANSCRIBE_URL: 'http://127.0.0.1:1/v1' })
    const { status } = await send({ to: { server: deaf, user: await newVerifiedUser(deaf) } })
    expect(status).toBe(502)
  })
})

test('a client that disconnects aborts the request to the endpoint, which still counts as usage', async () => {
  const to = { server, user: await newVerifiedUser(server) }
  const called = Promise.withResolvers<void>()
  endpoint.answer = () => {
    called.resolve()
    return new Promise<Response>(() => {})
  }
  const abort = new AbortController()
  const sent = send({ signal: abort.signal, to })
  await called.promise
  abort.abort()
  await expect(sent).rejects.toThrow()
  await endpoint.disconnected
  endpoint.answer = () => new Response('', { status: 500 })
  expect((await send({ to })).status).toBe(502)
  const { body } = await request(server, 'GET', '/api/billing/usage', { token: to.user.key })
  expect(body.usage.transcriptions.used).toBe(1)
})

describe('before the endpoint is called', () => {
  const refusals: [string, Submission, number, unknown][] = [
    ['an empty file is 400', { content: '' }, 400, 'The audio is empty'],
    ['an image is 400', { type: 'image/png', name: 'x.png' }, 400, 'The file must be audio'],
    [
      'another field is 422',
      { field: 'audio' },
      422,
      [{ loc: ['body', 'file'], type: 'missing', msg: 'Field required' }],
    ],
    [
      'an invalid language is 422',
      { query: '?language=English' },
      422,
      [
        {
          loc: ['query', 'language'],
          type: 'string_pattern_mismatch',
          msg: expect.any(String),
        },
      ],
    ],
  ]
  for (const [title, submission, status, detail] of refusals)
    test(title, async () => {
      const answer = await send(submission)
      expect([answer.status, answer.body]).toEqual([status, { detail }])
      expect(endpoint.requests).toEqual([])
    })
})

describe('where no endpoint is configured', () => {
  const plain = useSharedServer()

  test('audio is 503, and audio that is too large is 413', async () => {
    const to = { server: plain.current, user: await newVerifiedUser(plain.current) }
    const { status, body } = await send({ to })
    expect([status, body]).toEqual([
      503,
      { detail: 'No transcription endpoint is configured: set SVC_TRANSCRIBE_URL' },
    ])
    expect((await send({ content: new Uint8Array(MAX_BYTES + 1), to })).status).toBe(413)
  })
})
