import { expect, test } from 'bun:test'
import { newUser, useSharedServer } from '../harness/server.ts'
import { callMessage, connectMcpProcess, opening, spawnMcp, TOOL_NAMES } from './client.ts'

const server = useSharedServer()

/** A server that never responds; `asked` and `dropped` resolve for its first request. */
const serveNever = () => {
  const requested = Promise.withResolvers<void>()
  const dropped = Promise.withResolvers<void>()
  const fake = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => {
      request.signal.addEventListener('abort', () => dropped.resolve())
      requested.resolve()
      return new Promise<Response>(() => {})
    },
  })
  return {
    env: { SVC_URL: fake.url.origin, SVC_API_KEY: 'svc_any' },
    asked: requested.promise,
    dropped: dropped.promise,
    [Symbol.asyncDispose]: () => fake.stop(true),
  }
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends a process that serves',
  async (signal) => {
    const mcp = spawnMcp({ SVC_URL: server.current.url, SVC_API_KEY: 'svc_any' })
    mcp.send(...opening)
    await mcp.next()
    mcp.child.kill(signal)
    // 128 and the number of the signal, or 130 where svc handles it.
    expect(await mcp.child.exited).toBeGreaterThan(128)
  },
)

test('stdout carries only protocol messages, also after invalid calls and messages', async () => {
  const { key } = await newUser(server.current)
  await using mcp = spawnMcp({ SVC_URL: server.current.url, SVC_API_KEY: key })
  mcp.send(
    ...opening,
    'not JSON at all',
    '{"neither": "a request", "nor": "an answer"}',
    '{"jsonrpc": "2.0", "id": 1, "method"',
    callMessage(2, 'recall', {}),
    callMessage(3, 'no-such-tool', {}),
    callMessage(4, 'remember', 'not an object'),
    callMessage(5, 'remember', { content: 'Tea.' }),
    { jsonrpc: '2.0', id: 6, method: 'no/such/method' },
  )
  const answered = new Set<unknown>()
  while (![2, 3, 4, 5, 6].every((id) => answered.has(id))) {
    const message = JSON.parse((await mcp.next()) ?? '')
    expect(message).toMatchObject({ jsonrpc: '2.0' })
    if (message.id !== null) answered.add(message.id)
  }
  mcp.child.stdin.end()
  expect(await mcp.next()).toBeUndefined()
  expect(await mcp.child.exited).toBe(0)
})

test('a line that is not JSON gets -32700, and the next message works', async () => {
  await using mcp = spawnMcp()
  for (const line of ['not JSON at all', '{"jsonrpc": "2.0", "id": 1, "method"', '\u{1f9a2}[']) {
    mcp.send(line)
    expect(JSON.parse((await mcp.next()) ?? '')).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_700, message: 'Parse error: the line is not valid JSON' },
    })
  }
  mcp.send('', ...opening)
  expect(JSON.parse((await mcp.next()) ?? '')).toMatchObject({ result: expect.anything() })
})

test('the process ends when its input ends', async () => {
  await using mcp = spawnMcp()
  mcp.send(...opening)
  await mcp.next()
  mcp.child.stdin.end()
  expect(await mcp.child.exited).toBe(0)
})

test('the process ends when its input ends before the first message', async () => {
  await using mcp = spawnMcp()
  mcp.child.stdin.end()
  expect(await mcp.child.exited).toBe(0)
})

test('the process ends and aborts the call when its input ends during a call', async () => {
  await using stuck = serveNever()
  await using mcp = spawnMcp(stuck.env)
  mcp.send(...opening, callMessage(1, 'recall', { query: 'tea' }))
  await stuck.asked
  mcp.child.stdin.end()
  await stuck.dropped
  expect(await mcp.child.exited).toBe(0)
})

test('cancelling a call aborts its request, and the next call works', async () => {
  await using stuck = serveNever()
  await using mcp = await connectMcpProcess(stuck.env)
  const cancel = new AbortController()
  const call = mcp.call('recall', { query: 'tea' }, { signal: cancel.signal })
  await stuck.asked
  cancel.abort()
  await expect(call).rejects.toThrow()
  await stuck.dropped
  expect((await mcp.client.listTools()).tools).toHaveLength(TOOL_NAMES.length)
})
