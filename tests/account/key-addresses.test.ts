import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { connectHttp } from '../mcp/client.ts'

/** The proxy in front is this machine, so that a header says which address a request is from. */
let server: TestServer
beforeAll(async () => {
  server = await startServer({ SVC_TRUSTED_PROXIES: '127.0.0.1' })
}, 120_000)
afterAll(() => server.stop())

const INSIDE = '10.1.2.3'
const OUTSIDE = '192.0.2.7'
const REFUSED = [403, 'This API key may not be used from this address']

const as = async (key: string, from: string, method: string, path: string, body?: object) => {
  const answer = await request(server, method, path, {
    token: key,
    headers: { 'x-forwarded-for': from },
    ...(body && { body }),
  })
  return [answer.status, answer.body?.detail ?? answer.body?.error?.message]
}

const manage = (user: TestUser, method: string, path: string, body?: object) =>
  request(server, method, `/api/auth/api-keys${path}`, {
    token: user.accessToken,
    ...(body && { body }),
  })

const withKey = async (allowed_addresses: string[] | null) => {
  const user = await newVerifiedUser(server)
  const { body } = await manage(user, 'POST', '', { name: 'office', allowed_addresses })
  return { user, key: body.key as string, id: body.id as string, body }
}

test('a key is used from its addresses and ranges only, on every kind of endpoint', async () => {
  const { key, body } = await withKey(['10.0.0.0/8', '2001:db8::/32', '198.51.100.5'])
  expect(body.allowed_addresses).toEqual(['10.0.0.0/8', '2001:db8::/32', '198.51.100.5'])
  for (const from of [INSIDE, '2001:db8::7', '198.51.100.5', '::ffff:10.1.2.3'])
    expect(await as(key, from, 'GET', '/api/me')).toEqual([200, undefined])
  for (const from of [OUTSIDE, '198.51.100.6', '2001:db9::7', '9.255.255.255'])
    expect(await as(key, from, 'GET', '/api/me')).toEqual(REFUSED)
  expect(await as(key, OUTSIDE, 'POST', '/api/remember', { content: 'No.' })).toEqual(REFUSED)
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await as(key, OUTSIDE, 'POST', '/api/mcp', message))[0]).toBe(403)
  expect((await as(key, OUTSIDE, 'POST', '/api/openai/v1/chat/completions', {}))[0]).toBe(403)
  // Without a proxy before it, a request is from this machine.
  await expect(connectHttp(server, key)).rejects.toThrow()
})

test('addresses are changed and removed, and a key without any is used from all', async () => {
  const { user, key, id } = await withKey(null)
  expect(await as(key, OUTSIDE, 'GET', '/api/me')).toEqual([200, undefined])
  const limited = await manage(user, 'PATCH', `/${id}`, { allowed_addresses: [INSIDE] })
  expect(limited.body.allowed_addresses).toEqual([INSIDE])
  expect(await as(key, OUTSIDE, 'GET', '/api/me')).toEqual(REFUSED)
  await manage(user, 'PATCH', `/${id}`, { name: 'renamed' })
  expect(await as(key, OUTSIDE, 'GET', '/api/me')).toEqual(REFUSED)
  const freed = await manage(user, 'PATCH', `/${id}`, { allowed_addresses: null })
  expect(freed.body).not.toHaveProperty('allowed_addresses')
  expect(await as(key, OUTSIDE, 'GET', '/api/me')).toEqual([200, undefined])
})

test('a key for an agent has the addresses of its parent, also after they change', async () => {
  const { user, key, id } = await withKey(['10.0.0.0/8'])
  const made = await request(server, 'POST', '/api/auth/api-keys/delegate', {
    token: key,
    headers: { 'x-forwarded-for': INSIDE },
    body: { name: 'helper', allowed_addresses: ['0.0.0.0/0'] },
  })
  const child: string = made.body.key
  expect(made.body.allowed_addresses).toEqual(['10.0.0.0/8'])
  expect(await as(child, OUTSIDE, 'GET', '/api/me')).toEqual(REFUSED)
  const widened = await manage(user, 'PATCH', `/${made.body.id}`, { allowed_addresses: null })
  expect(widened.status).toBe(409)
  await manage(user, 'PATCH', `/${id}`, { allowed_addresses: ['192.0.2.0/24'] })
  expect(await as(child, INSIDE, 'GET', '/api/me')).toEqual(REFUSED)
  expect(await as(child, OUTSIDE, 'GET', '/api/me')).toEqual([200, undefined])
})

test('an open stream ends when its address is not allowed any more', async () => {
  const { user, key, id } = await withKey([INSIDE])
  const response = await fetch(new URL('/api/events', server.url), {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'x-forwarded-for': INSIDE,
    },
  })
  const text = response.text()
  await manage(user, 'PATCH', `/${id}`, { allowed_addresses: [OUTSIDE] })
  const ended = text.then((all) => all)
  const done = await eventually(async () => {
    await request(server, 'POST', '/api/remember', {
      token: user.accessToken,
      body: { content: crypto.randomUUID() },
    })
    return Promise.race([ended, false])
  })
  expect(done).toContain('event: error')
})

test.each([
  [['10.0.0.0/33'], 0],
  [['10.0.0.1', 'example.com'], 1],
  [['2001:db8::/129'], 0],
  [['10.0.0.0/8/8'], 0],
  [['fe80::1%eth0'], 0],
  [['10.0.0.0/-1'], 0],
  [[''], 0],
])('%j is refused, with the place of the first that is no range', async (addresses, place) => {
  const user = await newVerifiedUser(server)
  const { status, body } = await manage(user, 'POST', '', {
    name: 'office',
    allowed_addresses: addresses,
  })
  expect([status, body.detail[0].loc]).toEqual([422, ['body', 'allowed_addresses', place]])
})

test('an empty list and one of more than 50 are refused', async () => {
  const user = await newVerifiedUser(server)
  for (const allowed_addresses of [[], Array(51).fill(INSIDE), 'all', [5]])
    expect((await manage(user, 'POST', '', { name: 'office', allowed_addresses })).status).toBe(422)
})
