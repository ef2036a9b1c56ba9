import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { newVerifiedUser } from '../harness/http.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'

setDefaultTimeout(120_000)

const PACE = { silenceMs: 300, graceMs: 600, minBytesPerSecond: 100_000 }
/** The last part of `detail`, or of `error_description` at the OAuth endpoints. */
const TOO_SLOW = 'The request body arrived too slowly"}'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await startServer({}, undefined, { bodyPace: PACE })
  user = await newVerifiedUser(server)
}, 120_000)
afterAll(() => server.stop())

const FORM = 'multipart/form-data; boundary=B'
const PART = '--B\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'

/** Every way of reading a body, with the start of such a body and its declared length. */
const cases: [name: string, path: string, type: string, start: string, length?: number][] = [
  ['an MCP message', '/api/mcp', 'application/json', '{"jsonrpc":'],
  ['an import', '/api/memories/import', 'application/x-ndjson', '{"content":'],
  ['an import in a form', '/api/memories/import', FORM, PART],
  ['a file', '/api/files', FORM, PART],
  ['an avatar', '/api/profile/avatar', FORM, PART],
  ['a recording', '/api/transcribe', FORM, PART],
  ['JSON', '/api/remember', 'application/json', '{"content":'],
  ['long JSON', '/api/remember', 'application/json', '{"content":', 100_000],
  [
    'an OAuth form',
    '/api/auth/mcp/oauth/token',
    'application/x-www-form-urlencoded',
    'grant_type=',
  ],
]

const open = async (path: string, type: string, length = 10_000) => {
  const { hostname, port, origin } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    `Origin: ${origin}`,
    `Authorization: Bearer ${user.accessToken}`,
    'Accept: application/json, text/event-stream',
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
  ]
  socket.write([...head, '', ''].join('\r\n'))
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  return { socket, closed: once(socket, 'close').then(() => text) }
}

const isTooSlow = (answer: string) => {
  expect(answer).toStartWith('HTTP/1.1 400')
  expect(answer).toEndWith(TOO_SLOW)
}

describe('a body that stops arriving is 400 and closes the connection', () => {
  for (const [name, path, type, start, length] of cases)
    test(`${name} that stops arriving at ${path} is 400`, async () => {
      const { socket, closed } = await open(path, type, length)
      socket.write(start)
      isTooSlow(await closed)
    })
})

describe('a body that arrives below the minimum rate is 400 and closes the connection', () => {
  for (const [name, path, type, start, length] of cases)
    test(`${name} below the minimum rate at ${path} is 400`, async () => {
      const { socket, closed } = await open(path, type, length)
      socket.write(start)
      const drip = setInterval(() => socket.writable && socket.write('x'), 20)
      isTooSlow(await closed.finally(() => clearInterval(drip)))
    })
})

test('a body that arrives fast enough is read', async () => {
  const { status } = await request(server, 'POST', '/api/remember', {
    token: user.key,
    body: { content: `Ada likes tea. ${'x'.repeat(30_000)}` },
  })
  expect(status).toBe(201)
})

test('a connection that closes within a body logs no server error', async () => {
  const { socket, closed } = await open('/api/remember', 'application/json')
  socket.end('{"content":')
  await closed
  await request(server, 'GET', '/api/health')
  const levels = server.log.map((line) => JSON.parse(line).level)
  expect(levels).not.toContain('error')
})
