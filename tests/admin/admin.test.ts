import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { contract } from '../../shared/contract/index.ts'
import { ISO, newVerifiedUser } from '../harness/http.ts'
import {
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'
import { administer, claimAdmin } from './support.ts'

setDefaultTimeout(60_000)

let server: TestServer
let admin: TestUser
beforeAll(async () => {
  server = await startServer()
  admin = await newVerifiedUser(server)
  await claimAdmin(server, admin)
})
afterAll(() => server.stop())

const act = (method: string, path: string, body?: unknown, by = admin) =>
  administer(server, by, method, path, body)
const disable = (user: TestUser, reason = 'Too loud', by = admin) =>
  act('POST', `${user.id}/disable`, { reason }, by)
const enable = (user: TestUser) => act('POST', `${user.id}/enable`, {})
const signIn = (user: TestUser, password = PASSWORD) =>
  request(server, 'POST', '/api/auth/signin', { body: { email: user.email, password } })
const find = async (query: string): Promise<{ id: string }[]> => {
  const { body } = await request(server, 'GET', `/api/admin/users?${query}`, { token: admin.key })
  return body.users
}
const auditOf = async (user: TestUser) => {
  const { body } = await request(server, 'GET', '/api/auth/audit', { token: user.accessToken })
  return body.entries
}

describe('admin endpoints', () => {
  const rows = contract.filter(({ path }) => path.startsWith('/api/admin/'))

  for (const { method, path, credential } of rows)
    test(`${method} ${path} rejects other users before it validates the body`, async () => {
      const other = await newVerifiedUser(server)
      const call = (token?: string) =>
        request(server, method, path.replace('{user_id}', other.id), {
          ...(token && { token }),
          ...(method !== 'GET' && { body: '{' }),
        })
      expect((await call()).status).toBe(401)
      const answers = [await call(other.accessToken)]
      if (credential === 'bearer') answers.push(await call(other.key))
      for (const { status, body } of answers)
        expect([status, body]).toEqual([403, { detail: 'Admin access required' }])
    })

  test('an admin reads with an API key, but changes only with a session', async () => {
    const other = await newVerifiedUser(server)
    expect(
      (await request(server, 'GET', `/api/admin/users/${other.id}`, { token: admin.key })).status,
    ).toBe(200)
    for (const [method, path, body] of [
      ['POST', 'disable', { reason: 'x' }],
      ['POST', 'enable', {}],
      ['PUT', 'tier', { tier: 'payg' }],
      ['PUT', 'admin', { is_admin: true }],
    ] as const) {
      const answer = await request(server, method, `/api/admin/users/${other.id}/${path}`, {
        token: admin.key,
        body,
      })
      expect([path, answer.status]).toEqual([path, 403])
    }
  })
})

describe('user list', () => {
  test('the list shows each user with their state', async () => {
    const user = await newVerifiedUser(server)
    const { status, body } = await request(server, 'GET', '/api/admin/users?limit=1', {
      token: admin.key,
    })
    const username = user.email.split('@')[0]?.slice(0, 30)
    expect([status, body.users[0]]).toEqual([
      200,
      {
        id: user.id,
        email: user.email,
        username,
        display_name: username,
        tier: 'amnesiac',
        is_admin: false,
        email_verified: true,
        created_at: ISO,
        last_seen_at: ISO,
        disabled_at: null,
      },
    ])
    expect((await act('GET', user.id)).body).toEqual(body.users[0])
    expect((await act('GET', admin.id)).body.is_admin).toBe(true)
  })

  test('the search matches parts of address and names in any case, with literal wildcards', async () => {
    const user = await newVerifiedUser(server)
    const mark = crypto.randomUUID().slice(0, 8)
    await request(server, 'PUT', '/api/profile', {
      token: user.accessToken,
      body: { display_name: `Ünïque 100%_\\${mark} Person` },
    })
    const ids = async (q: string) =>
      (await find(new URLSearchParams({ q }).toString())).map(({ id }) => id)
    for (const q of [
      user.email,
      user.email.toUpperCase(),
      user.email.slice(5, 30),
      `%_\\${mark} pers`,
      `ÜNÏQUE 100%_\\${mark}`,
      ` ${user.email} `,
    ])
      expect([q, await ids(q)]).toEqual([q, [user.id]])
    for (const q of [`%${mark}_`, `1__%_\\${mark}`, `${mark}%`, `user%${user.email.slice(-30)}`])
      expect([q, await ids(q)]).toEqual([q, []])
    expect((await ids('')).length).toBeGreaterThan(1)
  })

  test('pages list each user once, newest first', async () => {
    for (let i = 0; i < 3; i++) await newVerifiedUser(server)
    const all = await find('limit=100')
    const paged: { id: string }[] = []
    for (let cursor = ''; ; ) {
      const { body } = await request(server, 'GET', `/api/admin/users?limit=2${cursor}`, {
        token: admin.key,
      })
      paged.push(...body.users)
      if (!body.next_cursor) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    expect(all.at(-1)?.id).toBe(admin.id)
    for (const query of ['limit=0', 'limit=101', 'cursor=no', `q=${'x'.repeat(256)}`])
      expect(
        (await request(server, 'GET', `/api/admin/users?${query}`, { token: admin.key })).status,
      ).toBe(422)
  })

  test('an unknown user id is 404', async () => {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/disable', { reason: 'x' }],
      ['POST', '/enable', {}],
      ['PUT', '/tier', { tier: 'payg' }],
      ['PUT', '/admin', { is_admin: true }],
    ] as const) {
      const answer = await act(method, `${crypto.randomUUID()}${path}`, body)
      expect([answer.status, answer.body]).toEqual([404, { detail: 'User not found' }])
      expect((await act(method, `no-id${path}`, body)).status).toBe(422)
    }
  })
})

describe('a disabled user', () => {
  test('disabling rejects every credential from the next request until the user is enabled', async () => {
    const user = await newVerifiedUser(server)
    const answer = await disable(user)
    expect([answer.status, answer.body]).toMatchObject([200, { id: user.id, disabled_at: ISO }])
    expect((await find(`q=${user.email}`))[0]).toMatchObject({ disabled_at: ISO })

    const me = (token: string) => request(server, 'GET', '/api/me', { token })
    expect((await me(user.accessToken)).status).toBe(401)
    expect((await me(user.key)).status).toBe(401)
    const refreshed = () =>
      request(server, 'POST', '/api/auth/refresh', { cookie: user.refreshToken })
    expect((await refreshed()).status).toBe(401)
    const signedIn = await signIn(user)
    expect([signedIn.status, signedIn.body, signedIn.cookie]).toEqual([
      403,
      { detail: 'This account is disabled' },
      undefined,
    ])
    // Sign-in reports it only after a correct password.
    expect((await signIn(user, 'not the password')).status).toBe(401)

    expect((await enable(user)).body.disabled_at).toBeNull()
    expect((await signIn(user)).status).toBe(200)
    expect((await me(user.key)).status).toBe(200)
    // Enabling does not revive ended sessions.
    expect((await me(user.accessToken)).status).toBe(401)
    expect((await refreshed()).status).toBe(401)
  })

  test('a device login approved before gives a disabled user no key', async () => {
    const user = await newVerifiedUser(server)
    const started = await request(server, 'POST', '/api/auth/mcp/start', { body: {} })
    const approved = await request(server, 'POST', '/api/auth/mcp/authorize', {
      token: user.accessToken,
      body: { user_code: started.body.user_code, approve: true },
    })
    expect(approved.status).toBe(200)
    await disable(user)
    const polled = await request(server, 'POST', '/api/auth/mcp/poll', {
      body: { device_code: started.body.device_code },
    })
    expect(polled.body.api_key).toBeUndefined()
    const key = polled.body.api_key ?? 'none'
    expect((await request(server, 'GET', '/api/me', { token: key })).status).toBe(401)
  })

  test('disabling or enabling again changes nothing', async () => {
    const user = await newVerifiedUser(server)
    const first = await disable(user, 'once')
    const second = await disable(user, 'twice')
    expect(second.body).toEqual(first.body)
    await enable(user)
    expect((await enable(user)).status).toBe(200)
    const again = (await signIn(user)).body.access_token
    const entries = await auditOf({ ...user, accessToken: again })
    const actions = entries.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action.startsWith('user.'))).toEqual([
      'user.enabled',
      'user.disabled',
      'user.signed_up',
    ])
  })

  test('the reason is in the audit trails of the user and the admin', async () => {
    const user = await newVerifiedUser(server)
    await disable(user, '  Too loud  ')
    await act('POST', `${user.id}/enable`, { reason: 'Apologized' })
    const again = (await signIn(user)).body.access_token
    const [, enabled, disabled] = await auditOf({ ...user, accessToken: again })
    expect([enabled, disabled]).toMatchObject([
      { action: 'user.enabled', subject: null, ip: null, details: { reason: 'Apologized' } },
      { action: 'user.disabled', subject: null, ip: null, details: { reason: 'Too loud' } },
    ])
    expect((await auditOf(admin)).slice(0, 2)).toMatchObject([
      {
        action: 'user.enabled',
        subject: user.id,
        ip: expect.any(String),
        details: { reason: 'Apologized' },
      },
      {
        action: 'user.disabled',
        subject: user.id,
        ip: expect.any(String),
        details: { reason: 'Too loud' },
      },
    ])
  })

  test('disabling requires a reason', async () => {
    const user = await newVerifiedUser(server)
    for (const body of [
      {},
      { reason: '' },
      { reason: '  ' },
      { reason: null },
      { reason: 'x'.repeat(501) },
    ]) {
      const answer = await act('POST', `${user.id}/disable`, body)
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'reason']])
    }
    expect((await act('GET', user.id)).body.disabled_at).toBeNull()
  })
})

describe('granted tier', () => {
  test('a granted tier is audited with the previous one', async () => {
    const user = await newVerifiedUser(server)
    const { status, body } = await act('PUT', `${user.id}/tier`, {
      tier: 'conscious',
      reason: 'Paid in cash',
    })
    expect([status, body.tier]).toEqual([200, 'conscious'])
    expect((await request(server, 'GET', '/api/me', { token: user.key })).body.tier).toBe(
      'conscious',
    )
    expect((await auditOf(user))[0]).toMatchObject({
      action: 'user.tier_changed',
      details: { from: 'amnesiac', to: 'conscious', reason: 'Paid in cash' },
    })
    // Granting the same tier again is not audited; granting the tier that a user already pays for is.
    const tierOf = async (tier: string | null) =>
      (await act('PUT', `${user.id}/tier`, { tier, reason: 'Asked for' })).status
    const noted = async () =>
      (await auditOf(user)).filter(
        ({ action }: { action: string }) => action === 'user.tier_changed',
      ).length
    const before = await noted()
    expect(await tierOf(body.tier)).toBe(200)
    expect(await noted()).toBe(before)
    expect(await tierOf(null)).toBe(200)
    expect(await tierOf('amnesiac')).toBe(200)
    expect(await noted()).toBe(before + 2)

    const wrong = await act('PUT', `${user.id}/tier`, { tier: 'gold' })
    expect([wrong.status, wrong.body.detail[0].type]).toEqual([422, 'literal_error'])
  })
})

describe('admins', () => {
  test('granting and revoking admin takes effect at once', async () => {
    const user = await newVerifiedUser(server)
    const stats = () => request(server, 'GET', '/api/admin/stats', { token: user.key })
    expect((await stats()).status).toBe(403)
    expect((await act('PUT', `${user.id}/admin`, { is_admin: true })).body.is_admin).toBe(true)
    expect((await stats()).status).toBe(200)
    expect(
      (await act('PUT', `${user.id}/admin`, { is_admin: false, reason: 'Left' })).body.is_admin,
    ).toBe(false)
    expect((await stats()).status).toBe(403)
    expect((await auditOf(user)).slice(0, 2)).toMatchObject([
      { action: 'admin.revoked', details: { reason: 'Left' } },
      { action: 'admin.granted', details: {} },
    ])
  })

  test('the last admin can be neither revoked nor disabled', async () => {
    const last = { detail: 'This is the last admin; make another user an admin first' }
    const revoked = await act('PUT', `${admin.id}/admin`, { is_admin: false })
    expect([revoked.status, revoked.body]).toEqual([409, last])
    const disabled = await disable(admin)
    expect([disabled.status, disabled.body]).toEqual([409, last])
    expect((await act('GET', admin.id)).body).toMatchObject({ is_admin: true, disabled_at: null })

    // A disabled admin does not count.
    const other = await newVerifiedUser(server)
    await act('PUT', `${other.id}/admin`, { is_admin: true })
    await disable(other)
    expect((await disable(admin)).status).toBe(409)
    await act('PUT', `${other.id}/admin`, { is_admin: false })
  })

  test('concurrent revocations leave one admin', async () => {
    await using own = await startServer()
    const [one, two] = [await newVerifiedUser(own), await newVerifiedUser(own)]
    await claimAdmin(own, one)
    const on = (by: TestUser, method: string, path: string, body: unknown) =>
      administer(own, by, method, path, body)
    expect((await on(one, 'PUT', `${two.id}/admin`, { is_admin: true })).status).toBe(200)
    for (let round = 0; round < 3; round++) {
      const down = await Promise.all(
        [one, two].map((user) => on(user, 'PUT', `${user.id}/admin`, { is_admin: false })),
      )
      expect(down.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const [remaining, removed] = down[0]?.status === 200 ? [two, one] : [one, two]
      expect((await on(remaining, 'PUT', `${removed.id}/admin`, { is_admin: true })).status).toBe(
        200,
      )
    }
    const answers = await Promise.all([
      on(one, 'POST', `${two.id}/disable`, { reason: 'x' }),
      on(two, 'POST', `${one.id}/disable`, { reason: 'x' }),
      on(one, 'PUT', `${two.id}/admin`, { is_admin: false }),
      on(two, 'PUT', `${one.id}/admin`, { is_admin: false }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    // A request that waited is refused because its sender is no longer an admin, not for the last one.
    expect(statuses).not.toContain(409)
    const deletion = await Promise.all(
      [one, two].map(({ key }) => request(own, 'GET', '/api/admin/stats', { token: key })),
    )
    expect(deletion.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('an admin by configuration cannot be revoked, and the error names the variable', async () => {
    await using own = await startServer({ SVC_ADMIN_EMAILS: 'root@example.com' })
    const signedUp = await request(own, 'POST', '/api/auth/signup', {
      body: { email: 'root@example.com', password: PASSWORD, confirm_password: PASSWORD },
    })
    const mail = await own.noticed(/^Mail to root@example.com [\s\S]*\/verify\?token=/)
    const verification = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
    await request(own, 'POST', '/api/auth/verify-email', { body: { token: verification } })
    const { access_token: token, user } = signedUp.body
    const put = (is_admin: boolean) =>
      request(own, 'PUT', `/api/admin/users/${user.id}/admin`, { token, body: { is_admin } })
    const refused = await put(false)
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      expect.stringContaining('SVC_ADMIN_EMAILS'),
    ])
    const disabled = await request(own, 'POST', `/api/admin/users/${user.id}/disable`, {
      token,
      body: { reason: 'x' },
    })
    expect(disabled.status).toBe(409)
  })
})
