import { describe, expect, test } from 'bun:test'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  uniqueEmail,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()

const FIFTY = 50
/** The requests that are sent before the action they race with. */
const HALF = FIFTY / 2

const fifty = <T>(make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: FIFTY }, (_, index) => make(index)))
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)
const once = (status: number, other: number) => [status, ...Array<number>(FIFTY - 1).fill(other)]

const post = (path: string, options: Parameters<typeof request>[3]) =>
  request(server.current, 'POST', path, options)
const me = (token: string) => request(server.current, 'GET', '/api/me', { token })
const refresh = (cookie: string) => post('/api/auth/refresh', { cookie })
const signIn = (email: string, password = PASSWORD) =>
  post('/api/auth/signin', { body: { email, password } })
const revokeKey = ({ keyId, accessToken: token }: TestUser) =>
  request(server.current, 'DELETE', `/api/auth/api-keys/${keyId}`, { token })

/** Sends fifty requests with one action in between. @returns the fifty responses. */
const withOneInBetween = async <T>(
  make: () => Promise<T>,
  act: () => Promise<unknown>,
): Promise<T[]> => {
  const before = Array.from({ length: HALF }, make)
  const acted = act()
  const after = Array.from({ length: HALF }, make)
  await acted
  return Promise.all([...before, ...after])
}

describe('fifty parallel requests', () => {
  test('fifty sign-ups with one address in different spellings create one account', async () => {
    const email = uniqueEmail()
    const answers = await fifty((i) => {
      const written = i % 3 ? email.toUpperCase() : ` ${email} `
      return post('/api/auth/signup', {
        body: { email: written, password: PASSWORD, confirm_password: PASSWORD },
      })
    })
    expect(statusesOf(answers).toSorted()).toEqual(once(201, 409))
    const winner = answers.find(({ status }) => status === 201)
    const signedIn = await signIn(email)
    expect(signedIn.body.user.id).toBe(winner?.body.user.id)
  })

  test('fifty refreshes of two tabs succeed and both tabs stay signed in', async () => {
    const user = await newUser(server.current)
    const answers = await fifty(() => refresh(user.refreshToken))
    expect(new Set(statusesOf(answers))).toEqual(new Set([200]))
    const [one, other] = answers
    for (const tab of [one, other]) {
      expect((await me(tab?.body.access_token)).body.id).toBe(user.id)
      expect((await refresh(cookieValue(tab?.cookie))).status).toBe(200)
    }
    const sessions = await request(server.current, 'GET', '/api/auth/sessions', {
      token: user.accessToken,
    })
    expect(sessions.body).toHaveLength(1)
  })

  test('fifty revocations revoke an API key once', async () => {
    const user = await newUser(server.current)
    expect(statusesOf(await fifty(() => revokeKey(user))).toSorted()).toEqual(once(204, 404))
    expect((await me(user.key)).status).toBe(401)
  })

  test('fifty polls receive the key of a device login once', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = (await post('/api/auth/mcp/start', { body: {} })).body
    await post('/api/auth/mcp/authorize', {
      token: user.accessToken,
      body: { user_code, approve: true },
    })
    const answers = await fifty(() => post('/api/auth/mcp/poll', { body: { device_code } }))
    expect(answers.filter(({ body }) => body.api_key)).toHaveLength(1)
    const keys = await request(server.current, 'GET', '/api/auth/api-keys', {
      token: user.accessToken,
    })
    expect(keys.body).toHaveLength(2)
  })

  test('fifty approvals and denials decide a device login once', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = (await post('/api/auth/mcp/start', { body: {} })).body
    const answers = await fifty((i) =>
      post('/api/auth/mcp/authorize', {
        token: user.accessToken,
        body: { user_code, approve: i % 2 === 0 },
      }),
    )
    const decisions = answers.filter(({ status }) => status === 200)
    expect(decisions).toHaveLength(1)
    const { body } = await post('/api/auth/mcp/poll', { body: { device_code } })
    expect(body.status).toBe(decisions[0]?.body.status)
  })
})

describe('races with a revocation', () => {
  test('no parallel refresh survives a sign-out', async () => {
    const user = await newUser(server.current)
    const answers = await withOneInBetween(
      () => refresh(user.refreshToken),
      () => post('/api/auth/signout', { cookie: user.refreshToken }),
    )
    for (const { status, body, cookie } of answers) {
      expect(status).toBeOneOf([200, 401])
      if (status !== 200) continue
      expect((await me(body.access_token)).status).toBe(401)
      expect((await refresh(cookieValue(cookie))).status).toBe(401)
    }
  })

  test('no session started with the old password survives a password change', async () => {
    const user = await newUser(server.current)
    const body = { current_password: PASSWORD, new_password: 'another long password' }
    const answers = await withOneInBetween(
      () => signIn(user.email),
      () => post('/api/auth/change-password', { token: user.accessToken, body }),
    )
    for (const { status, body } of answers)
      if (status === 200) expect((await me(body.access_token)).status).toBe(401)
    expect((await me(user.accessToken)).status).toBe(200)
  })

  test('no request with a key succeeds after its revocation', async () => {
    const user = await newUser(server.current)
    const answers = await withOneInBetween(
      () => me(user.key),
      () => revokeKey(user),
    )
    for (const status of statusesOf(answers)) expect(status).toBeOneOf([200, 401])
    expect(new Set(statusesOf(await fifty(() => me(user.key))))).toEqual(new Set([401]))
  })
})
