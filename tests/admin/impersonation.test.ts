import { beforeAll, describe, expect, test } from 'bun:test'
import { contract } from '../../shared/contract/index.ts'
import { scopeOf } from '../../shared/contract/scopes.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { type Answer, request, type TestUser, useServer } from '../harness/server.ts'
import { administer, claimAdmin } from './support.ts'

const server = useServer()
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
}, 120_000)

const REASON = 'Ticket 4711: a memory is missing.'

const act = (method: string, path: string, body?: unknown, by: TestUser = admin) =>
  administer(server.current, by, method, path, body)
const start = (user: TestUser, body: object = {}, by = admin) =>
  act('POST', `${user.id}/impersonate`, { reason: REASON, ...body }, by)
const end = (user: TestUser, by = admin) => act('DELETE', `${user.id}/impersonate`, undefined, by)
const call = (token: string, method: string, path: string, body?: unknown) =>
  request(server.current, method, path, { token, ...(body !== undefined && { body }) })
const me = (token: string) => call(token, 'GET', '/api/me')
const auditOf = async (user: TestUser) =>
  (await call(user.accessToken, 'GET', '/api/auth/audit?action=impersonation.')).body.entries
const tokenOf = ({ status, body }: Answer): string => {
  expect(status).toBe(200)
  return body.access_token
}
const newAdmin = async (): Promise<TestUser> => {
  const other = await newVerifiedUser(server.current)
  expect((await act('PUT', `${other.id}/admin`, { is_admin: true })).status).toBe(200)
  return other
}

describe('an admin who uses the account of a user', () => {
  test('an admin sees and uses the memories of the user, without a refresh cookie', async () => {
    const user = await newVerifiedUser(server.current)
    await call(user.accessToken, 'POST', '/api/remember', { content: 'Ada likes tea.' })
    const started = await start(user)
    expect([started.cookie, started.body.token_type]).toEqual([undefined, 'bearer'])
    const token = tokenOf(started)
    const { expires_at } = started.body
    expect((await me(token)).body).toMatchObject({
      id: user.id,
      is_admin: false,
      impersonation: { reason: REASON, expires_at },
    })
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
    expect([minutes > 14, minutes <= 15]).toEqual([true, true])
    const { body } = await call(token, 'POST', '/api/recall', { query: 'tea' })
    expect(body.memories).toHaveLength(1)
    expect((await call(token, 'POST', '/api/remember', { content: 'A note.' })).status).toBe(201)
  })

  test('an impersonated session cannot change the account or the server by any endpoint of the contract', async () => {
    const user = await newVerifiedUser(server.current)
    const token = tokenOf(await start(user))
    const open: string[] = []
    for (const row of contract) {
      const scope = scopeOf(row)
      const isOfAccount = scope === 'account' || scope === 'admin'
      const isOfCredential = scope === undefined && row.method !== 'GET'
      if (!['bearer', 'jwt', 'session'].includes(row.credential)) continue
      if (!isOfAccount && !isOfCredential) continue
      const path = row.path.replace(/\{\w+\}/g, user.id)
      const answer = await call(token, row.method, path, row.body ? {} : undefined)
      if (answer.status !== 403) open.push(`${row.method} ${row.path}: ${answer.status}`)
    }
    expect(open).toEqual([])
    // Those that the password or a code would not guard, by name.
    for (const [method, path] of [
      ['POST', '/api/auth/api-keys'],
      ['DELETE', `/api/auth/api-keys/${user.keyId}`],
      ['DELETE', '/api/auth/sessions'],
      ['POST', '/api/auth/mfa/setup'],
      ['POST', '/api/auth/passkeys/options'],
      ['PUT', '/api/profile'],
      ['POST', '/api/orgs'],
    ] as const)
      expect([path, (await call(token, method, path, {})).status]).toEqual([path, 403])
    expect((await me(user.key)).status).toBe(200)
    expect((await me(user.accessToken)).status).toBe(200)
  })

  test('the text of an admin is not the word of the user, whatever way it takes, and says whose it is', async () => {
    const user = await newVerifiedUser(server.current)
    const token = tokenOf(await start(user))
    const { body } = await call(user.accessToken, 'POST', '/api/remember', { content: 'Mine.' })
    const write = (
      method: string,
      path: string,
      headers: Record<string, string>,
      written: unknown,
    ) => request(server.current, method, path, { token, headers, body: written })
    const tool = { 'x-svc-channel': 'mcp' }
    const lines = `${JSON.stringify({ content_text: 'A line of a file.' })}\n`
    const written = [
      await write('POST', '/api/remember', {}, { content: 'A note of an admin.' }),
      await write('POST', '/api/remember', tool, { content: 'A note by a tool.' }),
      await write(
        'POST',
        '/api/memories/import',
        { 'content-type': 'application/x-ndjson' },
        lines,
      ),
      await write('POST', '/api/chat', {}, { message: 'My sister Ada lives in Porto.' }),
      await write('PATCH', `/api/memories/${body.memory_id}`, {}, { content: 'Mine, changed.' }),
    ]
    expect(written.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
    const found = await eventually(async () => {
      const list = (await call(user.accessToken, 'GET', '/api/memories')).body.memories
      return list.length === written.length && list
    })
    const sources = found.map((each: { content_text: string; source: object }) => [
      each.content_text,
      each.source,
    ])
    expect(Object.fromEntries(sources)).toMatchObject({
      'A note of an admin.': { kind: 'impersonation', trust: 'external' },
      'A note by a tool.': { kind: 'impersonation', trust: 'external' },
      'A line of a file.': { kind: 'import', trust: 'external' },
      'My sister Ada lives in Porto.': { kind: 'chat', trust: 'external' },
      'Mine, changed.': { kind: 'session', trust: 'external' },
    })
    await eventually(async () => {
      const path = '/api/events?client=admin+(impersonation)'
      const { events } = (await call(user.accessToken, 'GET', path)).body
      const kinds = events.map(({ kind }: { kind: string }) => kind).toSorted()
      return Bun.deepEquals(kinds, [
        ...['import.finished', 'memory.changed'],
        ...['memory.stored', 'memory.stored', 'memory.stored'],
      ])
    })
  })

  test('an admin reaches no other person by the account of a user', async () => {
    const user = await newVerifiedUser(server.current)
    const token = tokenOf(await start(user))
    const { body: chat } = await call(user.accessToken, 'POST', '/api/chat', { message: 'Hello' })
    const thread = `/api/dm/threads/${crypto.randomUUID()}`
    for (const [path, body, ofUser] of [
      ['/api/dm/threads', { username: 'grace' }, 404],
      [`${thread}/messages`, { content: 'Hello' }, 404],
      [`${thread}/read`, undefined, 404],
      ['/api/shares', { session_id: chat.session_id }, 200],
      ['/api/email/send', { to: ['grace@example.com'], subject: 'Hello', text: 'Hello' }, 200],
    ] as const) {
      expect([path, (await call(token, 'POST', path, body)).status]).toEqual([path, 403])
      const { status } = await call(user.accessToken, 'POST', path, body)
      expect([path, status]).toEqual([path, ofUser])
    }
  })

  test('an impersonated session does not change the time zone of the user, or when the user was last seen', async () => {
    const user = await newVerifiedUser(server.current)
    await call(user.accessToken, 'GET', '/api/me')
    const before = await act('GET', user.id)
    const token = tokenOf(await start(user))
    await request(server.current, 'GET', '/api/me', {
      token,
      headers: { 'x-timezone': 'Asia/Tokyo' },
    })
    expect((await act('GET', user.id)).body.last_seen_at).toBe(before.body.last_seen_at)
    const [row] = await runSql(
      server.current.database,
      `select timezone from users where id = '${user.id}'`,
    )
    expect(row?.timezone).toBe('UTC')
  })

  test('the user sees the impersonation in the audit log, the list of sessions and an email', async () => {
    const user = await newVerifiedUser(server.current)
    const { body } = await start(user, { minutes: 5 })
    const mail = await server.current.noticed(
      new RegExp(`^Mail to ${user.email} [^]*/app/connect/sessions`),
    )
    expect(mail).toContain(user.email)
    const sessions = await call(user.accessToken, 'GET', '/api/auth/sessions')
    expect(sessions.body[0]).toMatchObject({
      id: body.session_id,
      ip: null,
      user_agent: null,
      current: false,
      impersonation: { reason: REASON, expires_at: body.expires_at },
    })
    expect(sessions.body[1]).not.toHaveProperty('impersonation')
    await end(user)
    expect(await auditOf(user)).toMatchObject([
      { action: 'impersonation.ended', subject: body.session_id, ip: null },
      {
        action: 'impersonation.started',
        subject: body.session_id,
        ip: null,
        details: { reason: REASON, minutes: 5 },
      },
    ])
    expect((await auditOf(admin)).slice(0, 2)).toMatchObject([
      { action: 'impersonation.ended', subject: user.id },
      { action: 'impersonation.started', subject: user.id, details: { reason: REASON } },
    ])
  })
})

describe('an impersonation ends', () => {
  const ends = {
    'when the admin ends it': async (user: TestUser, by: TestUser) => {
      expect((await end(user, by)).status).toBe(204)
      expect((await end(user, by)).status).toBe(204)
    },
    'when the admin begins another one of the user': async (user: TestUser, by: TestUser) => {
      await start(user, {}, by)
    },
    'when the admin loses the role': async (_: TestUser, by: TestUser) => {
      await act('PUT', `${by.id}/admin`, { is_admin: false })
    },
    'when the admin is disabled': async (_: TestUser, by: TestUser) => {
      await act('POST', `${by.id}/disable`, { reason: 'Left' })
    },
    'when the admin deletes their account': async (_: TestUser, by: TestUser) => {
      await call(by.accessToken, 'DELETE', '/api/auth/delete-account', {
        password: 'correct horse battery staple',
      })
    },
    'when the user becomes an admin': async (user: TestUser) => {
      await act('PUT', `${user.id}/admin`, { is_admin: true })
    },
    'when the user is disabled': async (user: TestUser) => {
      await act('POST', `${user.id}/disable`, { reason: 'Left' })
    },
    'when the user ends it in the list of sessions': async (user: TestUser) => {
      const { body } = await call(user.accessToken, 'GET', '/api/auth/sessions')
      const session = body.find((each: object) => 'impersonation' in each)
      await call(user.accessToken, 'DELETE', `/api/auth/sessions/${session.id}`)
    },
    'when the user ends all other sessions': async (user: TestUser) => {
      await call(user.accessToken, 'DELETE', '/api/auth/sessions?keep_current=true')
    },
    'at its time': async (user: TestUser) => {
      await runSql(
        server.current.database,
        `update sessions set expires_at = now() where user_id = '${user.id}' and impersonator_id is not null`,
      )
    },
  }
  for (const [when, act] of Object.entries(ends))
    test(when, async () => {
      const by = await newAdmin()
      const user = await newVerifiedUser(server.current)
      const token = tokenOf(await start(user, {}, by))
      expect((await me(token)).status).toBe(200)
      await act(user, by)
      expect((await me(token)).status).toBe(401)
    })

  test('a hundred sessions of the user do not end an impersonation, nor does it end one of them', async () => {
    const user = await newVerifiedUser(server.current)
    const token = tokenOf(await start(user))
    await runSql(
      server.current.database,
      `insert into sessions (id, user_id, expires_at)
       select gen_random_uuid(), '${user.id}', now() + interval '1 day' from generate_series(1, 98)`,
    )
    const signIn = { email: user.email, password: 'correct horse battery staple' }
    await request(server.current, 'POST', '/api/auth/signin', { body: signIn })
    expect((await me(user.accessToken)).status).toBe(200)
    expect((await me(token)).status).toBe(200)
  })
})

describe('an impersonation is refused', () => {
  test('an impersonation of oneself, an admin, a disabled or an unknown user is refused', async () => {
    const [other, disabled] = [await newAdmin(), await newVerifiedUser(server.current)]
    await act('POST', `${disabled.id}/disable`, { reason: 'Left' })
    const statuses = [admin, other, disabled].map(async (user) => (await start(user)).status)
    expect(await Promise.all(statuses)).toEqual([409, 409, 409])
    const unknown = { ...other, id: crypto.randomUUID() }
    expect([(await start(unknown)).status, (await end(unknown)).status]).toEqual([404, 404])
    expect((await start({ ...other, id: 'x'.repeat(300) })).status).toBe(422)
  })

  test('an impersonation without a reason, for too long, with an API key or by another user is refused', async () => {
    const user = await newVerifiedUser(server.current)
    for (const body of [{ reason: ' ' }, { minutes: 0 }, { minutes: 61 }, { minutes: 1.5 }])
      expect([body, (await start(user, body)).status]).toEqual([body, 422])
    const path = `/api/admin/users/${user.id}/impersonate`
    expect((await call(admin.key, 'POST', path, { reason: REASON })).status).toBe(403)
    const other = await newVerifiedUser(server.current)
    expect((await start(user, {}, other)).status).toBe(403)
    const { body } = await call(user.accessToken, 'GET', '/api/auth/sessions')
    expect(body).toHaveLength(1)
  })

  const liveOf = async (answers: Answer[]) =>
    (await Promise.all(answers.map((answer) => me(tokenOf(answer))))).filter(
      ({ status }) => status === 200,
    )

  test('fifty at once leave one session', async () => {
    const user = await newVerifiedUser(server.current)
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(user)))
    expect(await liveOf(answers)).toHaveLength(1)
    const listed = (await call(user.accessToken, 'GET', '/api/auth/sessions')).body
    expect(listed.filter((each: object) => 'impersonation' in each)).toHaveLength(1)
  })

  test('those that begin while the user becomes an admin end, or are refused', async () => {
    const user = await newVerifiedUser(server.current)
    const requests = Array.from({ length: 50 }, () => start(user))
    await Promise.race(requests)
    expect((await act('PUT', `${user.id}/admin`, { is_admin: true })).status).toBe(200)
    const answers = await Promise.all(requests)
    const begun = answers.filter(({ status }) => status === 200)
    expect(begun.length).toBeGreaterThan(0)
    expect(await liveOf(begun)).toEqual([])
    const refused = answers.filter(({ status }) => status !== 200)
    expect(new Set([409, ...refused.map(({ status }) => status)])).toEqual(new Set([409]))
  })
})
