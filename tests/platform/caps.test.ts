import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import sharp from 'sharp'
import { startRestartable } from '../harness/http.ts'
import { cookieValue, newUser, PASSWORD, request, type TestUser } from '../harness/server.ts'
import { authorizePath, newProof, register } from '../mcp/oauth-support.ts'

setDefaultTimeout(60_000)

/** The number of each kind that can still be created. */
const REMAINING = 5

let it: Awaited<ReturnType<typeof startRestartable>>
let user: TestUser
beforeAll(async () => {
  it = await startRestartable()
  user = await newUser(it.current)
  const made = (columns: string, values: string, count: number) =>
    `(${columns}) select ${values} from generate_series(1, ${count}) n`
  const own = `'${user.id}'`
  await it.restart(
    `update users set email_verified = true where id = ${own}`,
    `insert into api_keys ${made('id, user_id, name, prefix, hash', `gen_random_uuid(), ${own}, 'k', 'svc_', 'hash ' || n`, 99 - REMAINING)}`,
    `insert into api_keys ${made('id, user_id, name, prefix, hash, expires_at', `gen_random_uuid(), ${own}, 'old', 'svc_', 'old ' || n, now() - interval '31 days'`, 9)}`,
    `insert into agents ${made('user_id, slug', `${own}, 'agent-' || n`, 1_000 - REMAINING)}`,
    `insert into files ${made('user_id, file_id, name, type, size_bytes, blob', `${own}, gen_random_uuid(), 'f', 'text/plain', 1, 'file-' || n`, 10_000 - REMAINING)}`,
    `insert into chat_sessions ${made('user_id, session_id', `${own}, gen_random_uuid()`, 1_000 - REMAINING)}`,
    `insert into sessions ${made('id, user_id, user_agent, last_seen_at, expires_at', `gen_random_uuid(), ${own}, 'browser ' || n, now() - n * interval '1 hour', now() + interval '1 day'`, 99 - REMAINING)}`,
    `insert into sessions ${made('id, user_id, expires_at, revoked_at', `gen_random_uuid(), ${own}, now(), now() - interval '31 days'`, 9)}`,
    `insert into oauth_clients ${made('id, name, redirect_uris', `lpad(to_hex(n), 32, '0')::uuid, 'Heron', '{http://127.0.0.1:7777/callback}'`, 10_000)}`,
  )
}, 60_000)
afterAll(() => it[Symbol.asyncDispose]())

const call = (method: string, path: string, body?: unknown) =>
  request(it.current, method, path, {
    token: user.accessToken,
    ...(body !== undefined && { body }),
  })

const picture = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#123' } })
  .png()
  .toBuffer()

const upload = async (n: number) => {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(picture)]), `${n}.png`)
  const response = await fetch(new URL('/api/files', it.current.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${user.key}` },
    body: form,
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const kinds: [string, number, (n: number) => Promise<{ status: number; body: unknown }>][] = [
  ['100 API keys', 201, (n) => call('POST', '/api/auth/api-keys', { name: `key ${n}` })],
  ['1000 agents', 200, (n) => call('POST', '/api/talk', { message: 'Hi', agent_slug: `new-${n}` })],
  ['10000 files', 201, upload],
  ['1000 sessions without a message', 201, (n) => call('POST', '/api/sessions', { title: `${n}` })],
]

test.each(kinds)('parallel requests cannot exceed the limit of %s', async (name, ok, make) => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => make(n)))
  const refused = answers.filter(({ status }) => status !== ok)
  expect(refused.map(({ status, body }) => [status, body])).toEqual(
    Array(50 - REMAINING).fill([409, { detail: `There can be ${name} at most` }]),
  )
})

test('a user at a limit can use existing rows, and can create new ones after deleting one', async () => {
  expect((await call('POST', '/api/talk', { message: 'Hi', agent_slug: 'agent-1' })).status).toBe(
    200,
  )
  expect((await call('POST', '/api/chat', { message: 'Hello' })).status).toBe(200)
  const { body: keys } = await call('GET', '/api/auth/api-keys')
  expect(keys).toHaveLength(100)

  const login = await request(it.current, 'POST', '/api/auth/mcp/start', { body: {} })
  const { device_code, user_code } = login.body
  await call('POST', '/api/auth/mcp/authorize', { user_code, approve: true })
  const poll = () => request(it.current, 'POST', '/api/auth/mcp/poll', { body: { device_code } })
  expect((await poll()).status).toBe(409)
  await call('DELETE', `/api/auth/api-keys/${keys[0].id}`)
  // The key was not delivered before; polling too fast only slows it down.
  const polled = await poll()
  expect(['approved', 'slow_down']).toContain(polled.body.status)
})

describe('the limit of 100 sessions', () => {
  test('parallel sign-ins above 100 sessions end the sessions that were unused for longest', async () => {
    const signIn = () =>
      request(it.current, 'POST', '/api/auth/signin', {
        body: { email: user.email, password: PASSWORD },
      })
    const begun: string[] = []
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, signIn))
      begun.push(...answers.map(({ cookie }) => cookieValue(cookie)))
    }
    const { body: sessions } = await call('GET', '/api/auth/sessions')
    expect(sessions).toHaveLength(100)
    const names = sessions.map((each: { user_agent: string }) => each.user_agent)
    expect(names).toContain(`browser ${99 - REMAINING - 11}`)
    expect(names).not.toContain(`browser ${99 - REMAINING - 10}`)
    for (const cookie of begun)
      expect((await request(it.current, 'POST', '/api/auth/refresh', { cookie })).status).toBe(200)
    const { body: audit } = await call('GET', '/api/auth/audit')
    expect(JSON.stringify(audit)).toContain('one_too_many')
  })
})

test('above 10,000 unused OAuth clients the oldest are deleted', async () => {
  const open = async (client_id: string) => {
    const path = authorizePath({ client_id, code_challenge: newProof().challenge })
    return (await request(it.current, 'GET', path, { cookie: user.refreshToken })).status
  }
  const id = (n: number) => `00000000-0000-0000-0000-${n.toString(16).padStart(12, '0')}`
  expect(await open(id(1))).toBe(200)
  const newest = await register(it.current)
  expect([await open(id(1)), await open(id(2)), await open(newest)]).toEqual([400, 200, 200])
})
