import { expect, test } from 'bun:test'
import { newUser, useServer } from '../harness/server.ts'
import { callMessage, connectMcp, opening, spawnMcp } from './client.ts'

const server = useServer()

/** A server that takes requests and answers none; `asked` and `dropped` tell of the first one. */
const serveNever = () => {
  const asked = Promise.withResolvers<void>()
  const dropped = Promise.withResolvers<void>()
  const fake = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => {
      request.signal.addEventListener('abort', () => dropped.resolve())
      asked.resolve()
      return new Promise<Response>(() => {})
    },
  })
  return {
    env: { SVC_URL: fake.url.origin, SVC_API_KEY: 'svc_any' },
    asked: asked.promise,
    dropped: dropped.promise,
    [Symbol.asyncDispose]: () => fake.stop(true),
  }
}

test('standard output carries the protocol alone, also when calls and messages are wrong', async () => {
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
    answered.add(message.id)
  }
  mcp.child.stdin.end()
  expect(await mcp.next()).toBeUndefined()
  expect(await mcp.child.exited).toBe(0)
})

test('the process ends by itself when its input ends', async () => {
  await using mcp = spawnMcp()
  mcp.send(...opening)
  await mcp.next()
  mcp.child.stdin.end()
  expect(await mcp.child.exited).toBe(0)
})

test('the process ends when its input ends before anything was said', async () => {
  await using mcp = spawnMcp()
  mcp.child.stdin.end()
  expect(await mcp.child.exited).toBe(0)
})

test('the process ends when its input ends during a call, and gives up the call', async () => {
  await using stuck = serveNever()
  await using mcp = spawnMcp(stuck.env)
  mcp.send(...opening, callMessage(1, 'recall', { query: 'tea' }))
  await stuck.asked
  mcp.child.stdin.end()
  await stuck.dropped
  expect(await mcp.child.exited).toBe(0)
})

test('a cancelled call is given up on the way to the server, and the next one is answered', async () => {
  await using stuck = serveNever()
  await using mcp = await connectMcp(stuck.env)
  const cancel = new AbortController()
  const call = mcp.call('recall', { query: 'tea' }, { signal: cancel.signal })
  await stuck.asked
  cancel.abort()
  await expect(call).rejects.toThrow()
  await stuck.dropped
  expect((await mcp.client.listTools()).tools).toHaveLength(3)
})
