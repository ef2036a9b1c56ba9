import { describe, expect, test } from 'bun:test'
import { newUser, startServer, useServer } from '../harness/server.ts'
import { sendRaw } from '../harness/socket.ts'

const server = useServer()
const UUID = /^[0-9a-f-]{36}$/

const get = (path: string, ...lines: string[]) =>
  sendRaw(server.current, [`GET ${path} HTTP/1.1`, ...lines])

describe('a malformed Host header', () => {
  const hosts = ['%%%', 'a b', 'a@b/c', 'x#y', 'x:99999', '[::1', '1.2.3.999', '<script>', '']
  for (const host of hosts)
    test(`'${host}' is a JSON 400 on pages, endpoints and unknown paths`, async () => {
      const paths = ['/', '/device', '/verify?token=x', '/api/health', '/api/docs', '/none']
      for (const path of paths) {
        const { status, headers, text } = await get(path, `Host: ${host}`)
        expect([path, status, text]).toEqual([path, 400, '{"detail":"Invalid Host header"}'])
        expect(headers.get('content-type')).toBe('application/json')
        expect(headers.get('x-request-id')).toMatch(UUID)
      }
    })

  test('two Host headers are 400', async () => {
    const { status, text } = await get('/api/health', 'Host: a.example', 'Host: b.example')
    expect([status, text]).toEqual([400, '{"detail":"Invalid Host header"}'])
  })

  test('a malformed Host header logs no server error', async () => {
    await get('/device', 'Host: %%%')
    const levels = server.current.log.map((line) => JSON.parse(line).level)
    expect(levels).not.toContain('error')
  })
})

test('a name, an address and a port are valid hosts', async () => {
  for (const host of ['x', 'svc_1.internal', 'xn--bcher-kva.example:8443', '127.0.0.1:80', '[::1]'])
    expect((await get('/device', `Host: ${host}`)).status).toBe(303)
})

test('HTTP/1.0 requests without a Host header are answered', async () => {
  await using named = await startServer({ SVC_BASE_URL: 'https://svc.example' })
  const line = (method: string, path: string) => sendRaw(named, [`${method} ${path} HTTP/1.0`])
  expect((await line('GET', '/api/health')).status).toBe(200)
  expect((await line('GET', '/device?code=x')).status).toBe(303)
  expect((await line('GET', '/api/docs')).status).toBe(200)
  expect((await line('POST', '/api/mcp')).status).toBe(401)

  const { key } = await newUser(named)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const listed = await sendRaw(
    named,
    [
      'POST /api/mcp HTTP/1.0',
      `Authorization: Bearer ${key}`,
      'Accept: application/json, text/event-stream',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ],
    body,
  )
  expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('"tools"')])
})

/** docs/reference/http.md lists these; svc cannot change the responses of Bun's parser. */
describe('a request that Bun’s parser refuses', () => {
  const cases: [string, string[], number][] = [
    ['HTTP/1.1 without Host', ['GET /api/health HTTP/1.1'], 400],
    [
      'a Content-Length that is not a number',
      ['POST /api/auth/signup HTTP/1.1', 'Host: x', 'Content-Length: abc'],
      400,
    ],
    ['a malformed request line', ['hello'], 400],
    [
      'headers over 16 KiB',
      ['GET /api/health HTTP/1.1', 'Host: x', `X-Padding: ${'x'.repeat(20_000)}`],
      431,
    ],
    ['another HTTP version', ['GET /api/health HTTP/3.0', 'Host: x'], 505],
  ]
  for (const [name, lines, expected] of cases)
    test(`${name} is ${expected} without a body`, async () => {
      const { status, text } = await sendRaw(server.current, lines)
      expect([status, text]).toEqual([expected, ''])
    })
})
