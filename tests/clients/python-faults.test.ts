import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { hasPrograms } from '../harness/programs.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { call, ME } from './python-call.ts'
import { events, REQUEST_ID, type Reply, says, saysText, starts } from './scripted-server.ts'

setDefaultTimeout(120_000)

const hasPython = hasPrograms('python3')

const READ_CHAT = 'list(svc.conversations.chat_stream(message="Hello"))'
const DONE = events(['delta', { text: 'Hi' }], ['done', { message: {} }])

describe.skipIf(!hasPython)('the Python client at another service', () => {
  const services: [name: string, reply: Reply, expression?: string][] = [
    ['a web page', saysText(200, '<html></html>')],
    ['JSON with other fields', says(200, { hello: 'world' })],
    ['JSON that is a list', says(200, [])],
    ['an object in place of a list', says(200, {}), 'svc.files.list_files()'],
    ['a page that is not found', saysText(404, '<html></html>')],
    ['an error of another service', saysText(401, '{"error": "no"}')],
    ['a redirect', saysText(301, '', { location: 'https://example.com/' })],
    ['a page in place of a stream', saysText(200, 'Hello'), READ_CHAT],
    ['another protocol', (response) => void response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ]
  for (const [name, reply, expression = 'svc.account.me()'] of services)
    test(`${name} is NotSvc, without a retry`, async () => {
      const outcome = await call(expression, [reply])
      expect(outcome).toMatchObject({ error: 'NotSvc', waits: [] })
      expect(outcome.received).toHaveLength(1)
    })

  test('a proxy without a server behind it is an error of the server, after retries', async () => {
    const outcome = await call('svc.account.me()', [saysText(502, 'Bad Gateway')])
    expect(outcome).toMatchObject({ error: 'ServerError', status: 502, reason: 'bad_gateway' })
    expect(outcome.message).toContain('A proxy or another service responded at http://127.0.0.1')
    expect(outcome.received).toHaveLength(3)
  })

  test('a proxy that refuses a body is TooLarge', async () => {
    const outcome = await call('svc.files.upload_file(b"a")', [saysText(413, 'Too Large')])
    expect(outcome).toMatchObject({ error: 'TooLarge', fix: 'Send less data.' })
  })
})

describe.skipIf(!hasPython)('the Python client at a server of another version', () => {
  test('further fields and events are returned, and missing fields are no error', async () => {
    const newer = { id: 'a', hats: 3 }
    expect((await call('svc.account.me()', [says(200, newer)])).result).toEqual(newer)
    const stream = events(['thinking', { about: 'tea' }], ['done', { hats: 3 }])
    const { result } = await call(READ_CHAT, [starts('text/event-stream', stream, 'complete')])
    expect(result).toEqual([
      { event: 'thinking', data: { about: 'tea' } },
      { event: 'done', data: { hats: 3 } },
    ])
    const asked = 'svc.conversation("s").ask("Hello").read()'
    const text = events(['thinking', {}], ['delta', { text: 'Hi' }], ['done', { message: null }])
    const answer = await call(asked, [starts('text/event-stream', text, 'complete')])
    expect(answer.result).toBe('Hi')
  })

  test('a missing endpoint is NotFound, and names the older server', async () => {
    const outcome = await call('svc.profile.list_views()', [says(404, { detail: 'Not Found' })])
    expect(outcome).toMatchObject({
      error: 'NotFound',
      reason: 'not_found',
      fix: 'The server has no such endpoint: it may be an older version.',
      request_id: REQUEST_ID,
    })
  })

  test('call reaches an endpoint that the client does not know', async () => {
    const outcome = await call(
      'svc.call("POST", "/api/hats", query={"all": True, "by": None}, body={"size": 3, "of": OMIT})',
      [says(200, { worn: true })],
    )
    expect(outcome.result).toEqual({ worn: true })
    expect(outcome.received[0]).toMatchObject({
      method: 'POST',
      path: '/api/hats?all=true',
      body: '{"size": 3}',
    })
  })
})

describe.skipIf(!hasPython)('a stream to the Python client', () => {
  const cut: [name: string, reply: Reply, expression: string][] = [
    ['within an event', starts('text/event-stream', 'event: delta\nda', 'cut'), READ_CHAT],
    ['after an event', starts('text/event-stream', events(['delta', {}]), 'cut'), READ_CHAT],
    ['without `done`', starts('text/event-stream', events(['delta', {}]), 'complete'), READ_CHAT],
    [
      'by silence',
      starts('text/event-stream', events(['delta', {}]), 'silent'),
      'list(svc.with_options(timeout=0.2).conversations.chat_stream(message="Hello"))',
    ],
    [
      'within a line',
      starts('application/x-ndjson', '{"a": 1}\n{"a"', 'complete'),
      'list(svc.memories.export_memories())',
    ],
    [
      'after a line',
      starts('application/x-ndjson', '{"a": 1}\n', 'cut'),
      'list(svc.memories.export_memories())',
    ],
  ]
  for (const [name, reply, expression] of cut)
    test(`a stream that is cut off ${name} is StreamCut, without a retry`, async () => {
      const outcome = await call(expression, [reply])
      expect(outcome).toMatchObject({ error: 'StreamCut', waits: [] })
      expect(outcome.received).toHaveLength(1)
    })

  test('an error event is raised with its detail', async () => {
    const detail = { error: 'model_failed', message: 'The model failed' }
    const text = events(['delta', { text: 'Hi' }], ['error', { detail }])
    const outcome = await call(READ_CHAT, [starts('text/event-stream', text, 'complete')])
    expect(outcome).toMatchObject({ error: 'StreamFailed', detail, message: 'The model failed' })
  })

  test('comments, ids, line ends and data in several lines are read as the standard says', async () => {
    const text = `: hello\r\nid: 7\r\nevent: delta\r\ndata: {"text":\r\ndata: "ü"}\r\n\r\n${DONE}`
    const read = '(lambda s: (next(s), s.last_event_id))(svc.conversations.chat_stream(message=""))'
    const { result } = await call(read, [starts('text/event-stream', text, 'complete')])
    expect(result).toEqual([{ event: 'delta', data: { text: 'ü' } }, '7'])
  })

  test('a complete stream keeps its connection for the next call', async () => {
    const outcome = await call(`(${READ_CHAT}, svc.account.me())`, [
      starts('text/event-stream', DONE, 'complete'),
      says(200, ME),
    ])
    expect(outcome.result[1]).toEqual(ME)
    expect(outcome.connections).toBe(1)
  })

  test('a download that is cut off leaves no file', async () => {
    const folder = temporaryDirectory('svc-test-python-')
    const save = `svc.files.get_file_content("f").save("${folder}/file")`
    const length = { 'content-length': '100' }
    const outcome = await call(save, [starts('text/plain', 'Hello', 'cut', length)])
    expect(outcome).toMatchObject({ error: 'StreamCut' })
    expect(readdirSync(folder)).toEqual([])
  })
})
