import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hasPrograms } from '../harness/programs.ts'
import { call } from './python-call.ts'
import { events, hangsUp, isSilent, type Reply, says, saysText, starts } from './scripted-server.ts'

setDefaultTimeout(120_000)

/** `faults.py` looks for the key in each error, its causes and the variables of the functions that it passed. */
describe.skipIf(!hasPrograms('python3'))(
  'an error of the Python client does not show the key',
  () => {
    const KEY = 'svc_4f1e99e2c0ffee'
    /** A service that repeats the request, as debugging proxies and error pages do. */
    const echoes =
      (status: number, type = 'application/json'): Reply =>
      (response, { headers }) => {
        response.writeHead(status, { 'content-type': type, 'x-request-id': headers.authorization })
        response.end(JSON.stringify({ detail: { error: 'no', message: headers.authorization } }))
      }
    const replies: [name: string, reply: Reply, expression?: string][] = [
      ['a lost connection', hangsUp],
      ['a silent server', isSilent],
      ['an error that repeats the headers', echoes(400)],
      ['a failure that repeats the headers', echoes(500)],
      ['a limit that repeats the headers', echoes(429)],
      ['a page that repeats the headers', echoes(200, 'text/html')],
      [
        'a redirect that repeats the headers',
        (response, { headers }) => {
          response.writeHead(302, { location: `https://example.com/?key=${headers.authorization}` })
          response.end()
        },
      ],
      [
        'a status line that repeats the headers',
        (response, { headers }) => void response.socket?.end(`${headers.authorization}\r\n\r\n`),
      ],
      [
        'a response that is cut off',
        starts('application/json', '{"id', 'cut', { 'content-length': '9' }),
      ],
      ['another service', saysText(200, '<html></html>')],
      [
        'a stream that repeats the headers',
        (response, received) =>
          starts(
            'text/event-stream',
            events(['error', { detail: received.headers.authorization }]),
            'complete',
          )(response, received),
        'list(svc.conversations.chat_stream(message="Hello"))',
      ],
      ['an upload that is lost', hangsUp, 'svc.memories.import_memories(b"a" * 9_000_000)'],
      [
        'a naive time',
        says(200, {}),
        'svc.memories.recall(query="a", since=datetime.datetime.now())',
      ],
    ]
    for (const [name, reply, expression = 'svc.account.me()'] of replies)
      test(name, async () => {
        const repeats = name.includes('repeats')
        const options = { api_key: KEY, timeout: 0.5, max_retries: 0, repeats }
        expect(await call(expression, [reply], options)).toHaveProperty('error')
      })

    test('a refresh token that the server refuses', async () => {
      const repeated: Reply = (response, received) =>
        says(401, { detail: received.headers.cookie })(response, received)
      const options = { api_key: null, refresh_token: 'rt_4f1e99e2c0ffee', repeats: true }
      expect(await call('svc.account.me()', [repeated], options)).toMatchObject({
        error: 'Unauthorized',
        detail: 'refresh_token=***',
      })
    })

    const malformed = ['svc_4f1e\r\nX-Evil: 1', 'svc_4f1e 99', 'svc_4f1eü', 'svc_4f1e\u2026']
    for (const key of malformed)
      test(`a key that no header can hold: ${JSON.stringify(key)}`, async () => {
        const attempt = `__import__("svc_client").Svc("http://127.0.0.1:9", ${JSON.stringify(key)}).account.me()`
        expect(await call(attempt, [hangsUp])).toMatchObject({
          error: 'ValueError',
          message: 'api_key has a character that no credential has',
          received: [],
        })
      })

    test('the password of a malformed address', async () => {
      const attempt = `Svc("ftp://ada:secret@example.com")`
      expect(await call(attempt, [hangsUp])).toMatchObject({
        message: 'base_url is not an HTTP address: ftp://example.com',
      })
    })
  },
)
