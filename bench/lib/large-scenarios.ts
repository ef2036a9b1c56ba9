import { randomBytes } from 'node:crypto'
import { TEXTS, textOf } from '../../tests/fuzz/texts.ts'
import { type Account, nextAddress } from './server.ts'

const MIB = 1024 * 1024
const PROSE = 'I moved to Lisbon in May 2021, my sister Ada works at Acme, and we like tea. '
const LONG_MEMORIES = 200
/** The engines store links at least this often while they have work. */
const SETTLE_MS = 3_000

const prose = (characters: number, start = ''): string =>
  (start + PROSE.repeat(Math.ceil(characters / PROSE.length))).slice(0, characters)

type Send = () => Promise<unknown>

/** Large requests and responses. The order matters: later ones read the data that earlier ones store. */
export function* largeScenarios(url: string, { key }: Account): Generator<[string, Send, string]> {
  const post = async (
    path: string,
    body: string | FormData | object,
    type = 'application/json',
  ) => {
    const isForm = body instanceof FormData
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'x-forwarded-for': nextAddress(),
        accept: 'application/json, text/event-stream',
        ...(!isForm && { 'content-type': type }),
      },
      body: isForm || typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, text: await response.text() }
  }
  const get = async (path: string) =>
    (await fetch(new URL(path, url), { headers: { authorization: `Bearer ${key}` } })).text()
  const untilLinked = async () => {
    for (let last = -1; ; ) {
      const { edge_count, computed_at } = JSON.parse(await get('/api/introspect/graph?limit=1'))
      if (computed_at && edge_count > 0 && edge_count === last) return
      last = edge_count
      await Bun.sleep(SETTLE_MS)
    }
  }
  const upload = (path: string, bytes: Uint8Array | string, type: string) => {
    const form = new FormData()
    form.set('file', new Blob([bytes as string], { type }), 'file.md')
    return post(path, form)
  }
  const importing = (text: string) => post('/api/memories/import', text, 'application/x-ndjson')
  const call = (name: string, args: object) =>
    post('/api/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    })

  const import_ = 'POST /api/memories/import'
  const lines = (count: number, characters: number) =>
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({ content_text: prose(characters, `${i} `) }),
    ).join('\n')
  yield [import_, () => importing(lines(2_000, 1_000)), '2,000 memories of 1,000 characters']
  yield [
    import_,
    () => importing(lines(LONG_MEMORIES, 32_000)),
    '200 memories of 32,000 characters',
  ]
  yield [import_, () => importing(`[${'1,'.repeat(200_000)}1]`), '200,000 numbers']
  yield [
    import_,
    () => importing(`{"content_text":"${' '.repeat(20 * MIB)}"}`),
    'a record of 20 MiB',
  ]
  const batch = Array.from({ length: 1_000 }, (_, i) => ({ content: prose(900, `${i} batch `) }))
  yield [
    'POST /api/remember/batch',
    () => post('/api/remember/batch', { memories: batch }),
    '1,000 memories',
  ]

  yield [
    'GET /api/memories',
    () => get('/api/memories?limit=100'),
    '100 memories of 32,000 characters',
  ]
  yield ['GET /api/memories/export', () => get('/api/memories/export'), '8 MB']
  // Without a thread, so that they have links by rare words.
  const loose = Array.from({ length: 1_000 }, (_, i) => ({
    content: `Note ${i} on code${i % 500} and part${i % 333}`,
  }))
  for (const part of [0, 1])
    yield [
      'POST /api/remember/batch',
      () =>
        post('/api/remember/batch', {
          memories: loose.map(({ content }) => ({ content: `${content} of volume${part}` })),
        }),
      '1,000 short memories',
    ]
  yield ['GET /api/introspect/graph', untilLinked, 'until the engines have linked the memories']
  yield [
    'GET /api/introspect/graph',
    () => get('/api/introspect/graph?limit=5000'),
    '5,000 memories and their links',
  ]
  yield ['GET /api/identity/anchors', () => get('/api/identity/anchors'), '3,200 memories']
  for (const name of ['statements', 'Han characters', 'names', 'dates'])
    yield [
      'POST /api/recall',
      () => post('/api/recall', { query: textOf(name, 32_000), limit: 100, explain: true }),
      `100 long memories for 32,000 characters of ${name}`,
    ]

  const files: string[] = []
  const file = async (bytes: Uint8Array | string, type: string) => {
    const { text } = await upload('/api/files', bytes, type)
    files.push(String(JSON.parse(text).id ?? JSON.parse(text).file_id))
  }
  yield ['POST /api/files', () => file(prose(20 * MIB), 'text/markdown'), '20 MiB of text']
  yield [
    'POST /api/files',
    () => file('漢字仮名交じり文'.repeat(800_000), 'text/plain'),
    '20 MB of Han characters',
  ]
  yield [
    'POST /api/files',
    () => upload('/api/files', new Uint8Array(20 * MIB), 'application/pdf'),
    '20 MiB of zeros',
  ]
  yield [
    'POST /api/profile/avatar',
    () => upload('/api/profile/avatar', randomBytes(5 * MIB), 'image/png'),
    '5 MiB of noise',
  ]
  yield [
    'POST /api/transcribe',
    () => upload('/api/transcribe', randomBytes(25 * MIB), 'audio/webm'),
    '25 MiB of noise',
  ]
  const chat = async (path: string) => {
    const ids = files.filter((id) => id !== 'undefined')
    const message = textOf('statements', 32_000)
    const blocks = Array.from({ length: 8 }, () => ({ type: 'text', text: prose(100_000) }))
    return post(path, { message, file_ids: ids, content_blocks: blocks })
  }
  yield [
    'POST /api/chat',
    () => chat('/api/chat'),
    'two large files and eight texts of 100,000 characters',
  ]
  yield ['POST /api/chat/stream', () => chat('/api/chat/stream'), 'two large files and eight texts']

  for (const name of TEXTS) {
    const text = textOf(name, 32_000)
    yield ['POST /api/mcp', () => call('remember', { content: text }), `remember: ${name}`]
    yield ['POST /api/mcp', () => call('recall', { query: text, limit: 100 }), `recall: ${name}`]
    yield ['POST /api/mcp', () => call('talk', { message: text }), `talk: ${name}`]
  }
  const many = Object.fromEntries(Array.from({ length: 39_000 }, (_, i) => [`n${i}`, 1]))
  yield ['POST /api/mcp', () => call('remember', { content: 'x', ...many }), '39,000 names']
  yield [
    'POST /api/mcp',
    () => call('remember', { content: 'x', metadata: many }),
    '39,000 names inside',
  ]
  yield [
    'POST /api/mcp',
    () => post('/api/mcp', `[${'{},'.repeat(190_000)}{}]`),
    '190,000 messages',
  ]
  yield [
    'POST /api/mcp',
    () =>
      post(
        '/api/mcp',
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":['.padEnd(MIB - 10, '['),
      ),
    'deep lists',
  ]

  const form = 'application/x-www-form-urlencoded'
  const oauth = '/api/auth/mcp/oauth'
  const fields = Array.from({ length: 3_000 }, (_, i) => `${i.toString(36)}=%25`)
    .join('&')
    .slice(0, 16_000)
  for (const path of ['token', 'revoke', 'authorize'])
    yield [`POST ${oauth}/${path}`, () => post(`${oauth}/${path}`, fields, form), '3,000 fields']
  yield [
    `POST ${oauth}/register`,
    () =>
      post(`${oauth}/register`, {
        redirect_uris: Array.from(
          { length: 10_000 },
          (_, i) => `https://a.example/${i}?${'a'.repeat(60)}`,
        ),
      }),
    '10,000 redirect URIs',
  ]
  yield [
    `POST ${oauth}/register`,
    () =>
      post(`${oauth}/register`, {
        client_name: 'x',
        redirect_uris: ['https://a.example/'],
        ...many,
      }),
    '39,000 names',
  ]
}
