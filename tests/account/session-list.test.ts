import { describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import {
  cookieValue,
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const ORIGIN = 'https://app.example.com'
const server = useServer({ SVC_FRONTEND_ORIGINS: ORIGIN })
const SESSIONS = '/api/auth/sessions'

const list = (options: RequestOptions) => request(server.current, 'GET', SESSIONS, options)
const revoke = (id: string, options: RequestOptions) =>
  request(server.current, 'DELETE', `${SESSIONS}/${id}`, options)
const revokeAll = (options: RequestOptions) => request(server.current, 'DELETE', SESSIONS, options)
const me = (token: string) => request(server.current, 'GET', '/api/auth/me', { token })
const refresh = (cookie: string) => request(server.current, 'POST', '/api/auth/refresh', { cookie })

/** Starts another session. */
const signIn = async ({ email }: TestUser, options: RequestOptions = {}) => {
  const answer = await request(server.current, 'POST', '/api/auth/signin', {
    ...options,
    body: { email, password: PASSWORD },
  })
  return {
    accessToken: answer.body.access_token as string,
    refreshToken: cookieValue(answer.cookie),
    sessionId: String(decodeJwt(answer.body.access_token).sid),
  }
}
const sessionOf = ({ accessToken }: { accessToken: string }) => String(decodeJwt(accessToken).sid)

const credentials = (user: { accessToken: string; refreshToken: string }) =>
  [{ token: user.accessToken }, { cookie: user.refreshToken }] satisfies RequestOptions[]

describe('the list of sessions', () => {
  test('the list has all live sessions, newest first, and marks the current one', async () => {
    const user = await newUser(server.current)
    const laptop = await signIn(user, {
      from: '198.18.7.7',
      headers: { 'user-agent': 'Laptop/1.0' },
    })
    const phone = await signIn(user, { headers: { 'user-agent': 'Phone/1.0' } })
    for (const options of credentials(laptop)) {
      const { status, body } = await list(options)
      expect(status).toBe(200)
      expect(body.map(({ id }: { id: string }) => id)).toEqual([
        phone.sessionId,
        laptop.sessionId,
        sessionOf(user),
      ])
      expect(body.map(({ current }: { current: boolean }) => current)).toEqual([false, true, false])
      expect(body[1]).toEqual({
        id: laptop.sessionId,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        last_seen_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        ip: '198.18.7.7',
        user_agent: 'Laptop/1.0',
        current: true,
      })
    }
  })

  test('the list omits ended sessions and those of other users', async () => {
    const [user, other] = [await newUser(server.current), await newUser(server.current)]
    const ended = await signIn(user)
    await request(server.current, 'POST', '/api/auth/signout', { cookie: ended.refreshToken })
    const { body } = await list({ token: user.accessToken })
    expect(body.map(({ id }: { id: string }) => id)).toEqual([sessionOf(user)])
    expect(body[0].id).not.toBe(sessionOf(other))
  })
})

describe('revoking one session', () => {
  test('a revoked session ends at once, and the others stay', async () => {
    const user = await newUser(server.current)
    for (const options of credentials(user)) {
      const lost = await signIn(user)
      const { status, text, cookie } = await revoke(lost.sessionId, options)
      expect([status, text, cookie]).toEqual([204, '', undefined])
      expect((await me(lost.accessToken)).status).toBe(401)
      expect((await refresh(lost.refreshToken)).status).toBe(401)
    }
    expect((await me(user.accessToken)).status).toBe(200)
    expect((await list({ token: user.accessToken })).body).toHaveLength(1)
  })

  test('revoking the current session clears the cookie', async () => {
    const user = await newUser(server.current)
    const answer = await revoke(sessionOf(user), { cookie: user.refreshToken })
    expect([answer.status, cookieValue(answer.cookie)]).toEqual([204, ''])
    expect(answer.cookie).toContain('Max-Age=0')
    expect((await me(user.accessToken)).status).toBe(401)
  })

  test('a session of another user, or an unknown one, is 404 and nothing ends', async () => {
    const [user, other] = [await newUser(server.current), await newUser(server.current)]
    for (const id of [sessionOf(other), crypto.randomUUID()])
      for (const options of credentials(user)) {
        const { status, body } = await revoke(id, options)
        expect([status, body]).toEqual([404, { detail: 'Session not found' }])
      }
    expect((await me(other.accessToken)).status).toBe(200)
  })

  test('50 parallel requests revoke a session once', async () => {
    const user = await newUser(server.current)
    const { sessionId } = await signIn(user)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => revoke(sessionId, { token: user.accessToken })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 404)).toHaveLength(49)
  })

  test('a malformed session id is 422', async () => {
    const user = await newUser(server.current)
    const { status, body } = await revoke('first', { token: user.accessToken })
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['path', 'session_id'], type: 'uuid_parsing' }],
    ])
  })
})

describe('revoking all sessions', () => {
  for (const which of [0, 1])
    test(`with ${['an access token', 'the cookie'][which]}, all sessions end at once`, async () => {
      const [user, other] = [await newUser(server.current), await newUser(server.current)]
      const places = [user, await signIn(user), await signIn(user)]
      const answer = await revokeAll(credentials(user)[which] ?? {})
      expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }])
      expect(cookieValue(answer.cookie)).toBe('')
      expect(answer.cookie).toContain('Max-Age=0')
      for (const place of places) {
        expect((await me(place.accessToken)).status).toBe(401)
        expect((await refresh(place.refreshToken)).status).toBe(401)
      }
      expect((await me(other.accessToken)).status).toBe(200)
      const keys = await request(server.current, 'GET', '/api/me', { token: user.key })
      expect(keys.status).toBe(200)
      expect((await signIn(user)).accessToken).toBeString()
    })
})

describe('revoking all other sessions', () => {
  test('with keep_current, only the session of the request stays', async () => {
    const user = await newUser(server.current)
    const other = await signIn(user)
    const path = `${SESSIONS}?keep_current=true`
    const answer = await request(server.current, 'DELETE', path, { token: user.accessToken })
    expect([answer.status, answer.cookie]).toEqual([200, undefined])
    expect((await me(other.accessToken)).status).toBe(401)
    expect((await refresh(other.refreshToken)).status).toBe(401)
    const { body } = await list({ token: user.accessToken })
    expect(body.map(({ id }: { id: string }) => id)).toEqual([sessionOf(user)])
  })
})

describe('the session endpoints', () => {
  const endpoints = [
    ['GET', SESSIONS],
    ['GET', '/api/auth/apps'],
    ['DELETE', SESSIONS],
    ['DELETE', `${SESSIONS}/01a1fdd5-1d91-733f-bcad-fcb5b119e8f9`],
  ] as const

  for (const [method, path] of endpoints) {
    test(`${method} ${path} refuses an API key in either header`, async () => {
      const user = await newUser(server.current)
      for (const options of [{ token: user.key }, { headers: { 'x-api-key': user.key } }]) {
        const { status, body } = await request(server.current, method, path, options)
        expect([status, body]).toEqual([
          403,
          { detail: 'An API key cannot manage the account; sign in instead' },
        ])
      }
      expect((await me(user.accessToken)).status).toBe(200)
    })

    test(`${method} ${path} accepts the cookie from an allowed origin only`, async () => {
      const user = await newUser(server.current)
      for (const origin of ['https://evil.example.com', 'null']) {
        const { status, body } = await request(server.current, method, path, {
          cookie: user.refreshToken,
          headers: { origin },
        })
        expect([status, body]).toEqual([403, { detail: 'Origin not allowed' }])
      }
      expect((await me(user.accessToken)).status).toBe(200)
      const allowed = await request(server.current, method, path, {
        cookie: user.refreshToken,
        headers: { origin: ORIGIN },
      })
      expect([200, 404]).toContain(allowed.status)
    })

    test(`${method} ${path} refuses an invalid cookie`, async () => {
      const user = await newUser(server.current)
      await request(server.current, 'POST', '/api/auth/signout', { cookie: user.refreshToken })
      for (const cookie of [user.refreshToken, user.accessToken, 'abc']) {
        const { status, body } = await request(server.current, method, path, { cookie })
        expect([status, body]).toEqual([401, { detail: 'Could not validate credentials' }])
      }
    })
  }
})
