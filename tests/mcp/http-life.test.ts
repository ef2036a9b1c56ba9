import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { tiersFile } from '../billing/support.ts'
import { stalls, startModelServer } from '../harness/model-server.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { connectHttp, connectOlderHttp, textOf } from './client.ts'
import {
  askTokens,
  authorizePath,
  CALLBACK,
  decide,
  newProof,
  opens,
  register,
} from './oauth-support.ts'

setDefaultTimeout(60_000)

describe('two servers on one database', () => {
  /** Both have the same public address, as behind a load balancer. */
  const startTwo = async () => {
    const stack = new AsyncDisposableStack()
    const env = { SVC_BASE_URL: 'http://svc.test', SVC_RATE_LIMIT_STORE: 'postgres' }
    const one = stack.use(await startServer(env))
    const two = stack.use(await startServer(env, one.database))
    return { one, two, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  /** Authorizes a client by one server, registered at the other. @returns the form that redeems the code. */
  const authorize = async ({ one, two }: Record<'one' | 'two', TestServer>, user: TestUser) => {
    const client_id = await register(two)
    const { verifier, challenge } = newProof()
    const back = await decide(one, user, authorizePath({ client_id, code_challenge: challenge }))
    return {
      grant_type: 'authorization_code',
      client_id,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    }
  }

  test('two servers on one database complete an OAuth sign-in whose steps alternate between them', async () => {
    await using both = await startTwo()
    const user = await newUser(both.one)
    const { status, body } = await askTokens(both.two, await authorize(both, user))
    expect(status).toBe(200)
    for (const server of [both.one, both.two])
      expect(await opens(server, body.access_token)).toBe(true)
    await request(both.two, 'DELETE', '/api/auth/sessions', { token: user.accessToken })
    for (const server of [both.one, both.two])
      expect(await opens(server, body.access_token)).toBe(false)
  })

  test('a code that both servers redeem at once gives access once: an app sent its request twice', async () => {
    await using both = await startTwo()
    const user = await newUser(both.one)
    const form = await authorize(both, user)
    const tries = await Promise.all([both.two, both.one].map((server) => askTokens(server, form)))
    const [granted, ...others] = tries.filter(({ status }) => status === 200)
    expect(others).toEqual([])
    for (const server of [both.one, both.two])
      expect(await opens(server, granted?.body.access_token)).toBe(true)
    const refused = tries.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual([
      [400, 'invalid_grant'],
    ])
  })

  test('two servers on one database serve one client alternately', async () => {
    await using both = await startTwo()
    const { key } = await newUser(both.one)
    let turn = 0
    await using proxy = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        const { pathname } = new URL(request.url)
        const server = turn++ % 2 ? both.one : both.two
        return fetch(new URL(pathname, server.url), {
          method: request.method,
          headers: request.headers,
          body: request.body,
        })
      },
    })
    for (const connect of [connectHttp, connectOlderHttp]) {
      await using mcp = await connect({ url: proxy.url.origin }, key)
      for (const content of ['One heron.', 'Two herons.', 'Three herons.'])
        expect((await mcp.call('remember', { content })).isError).toBeFalsy()
      const recalled = await mcp.call('recall', { query: 'herons' })
      expect(recalled.structuredContent).toMatchObject({ count: 3 })
    }
    expect(turn).toBeGreaterThan(10)
  })
})

describe('a server that shuts down', () => {
  const stopDuring = async (connect: typeof connectHttp | typeof connectOlderHttp) => {
    await using model = await startModelServer()
    const server: TestServer = await startServer({
      SVC_OPENAI_BASE_URL: model.url,
      SVC_CHAT_MODEL: 'a-model',
    })
    const { key } = await newUser(server)
    await using mcp = await connect(server, key)
    model.always(stalls('Once upon a time'))
    const talking = mcp.call('talk', { message: 'A story.' }).catch((error: Error) => error)
    await model.nextCall()
    await server.stop()
    return await talking
  }

  test.each([
    ['2026-07-28', connectHttp],
    ['an older revision', connectOlderHttp],
  ])('ends a talk of %s, and says so', async (_, connect) => {
    const ended = await stopDuring(connect)
    expect(ended instanceof Error ? ended.message : textOf(ended)).toContain('is stopping')
  })

  test('a server that shuts down closes listening connections with a message', async () => {
    const server = await startServer()
    const { key } = await newUser(server)
    await using mcp = await connectHttp(server, key)
    const { closed } = await mcp.client.listen({ toolsListChanged: true })
    await server.stop()
    expect(await closed).toBe('graceful')
  })
})

test('browser clients are allowed only from the configured origins', async () => {
  const origin = 'https://app.example'
  await using server = await startServer({ SVC_FRONTEND_ORIGINS: origin })
  const { key } = await newUser(server)
  const preflight = (from: string) =>
    request(server, 'OPTIONS', '/api/mcp', {
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,mcp-protocol-version,mcp-method,mcp-name',
      },
    })
  const allowed = (await preflight(origin)).headers
  expect(allowed.get('access-control-allow-origin')).toBe(origin)
  const headers = allowed.get('access-control-allow-headers')?.toLowerCase()
  for (const name of ['authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
    expect(headers).toContain(name)
  const evil = (await preflight('https://evil.example')).headers
  expect(evil.get('access-control-allow-origin')).toBeNull()

  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const accept = 'application/json, text/event-stream'
  const unknown = await request(server, 'POST', '/api/mcp', { body, headers: { origin, accept } })
  expect(unknown.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  for (const [from, status] of [
    [origin, 200],
    ['https://evil.example', 403],
  ] as const) {
    const headers = { origin: from, accept }
    const answer = await request(server, 'POST', '/api/mcp', { body, token: key, headers })
    expect(answer.status).toBe(status)
  }
})

test('an exceeded monthly quota returns an error with the upgrade URL', async () => {
  await using server = await startServer({
    SVC_TIERS: tiersFile({ amnesiac: { quotas: { messages: 1 } } }),
  })
  const { key } = await newUser(server)
  await using mcp = await connectHttp(server, key)
  expect((await mcp.call('talk', { message: 'Hello.' })).isError).toBeFalsy()
  const refused = await mcp.call('talk', { message: 'Hello again.' })
  expect(refused.isError).toBe(true)
  expect(textOf(refused)).toMatch(/1 message.* See http\S+\/pricing$/)
  expect((await mcp.call('recall', { query: 'hello' })).isError).toBeFalsy()
})
