import { describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  startServer,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'

const server = useServer()

const signUp = (fields: Record<string, unknown> = {}) =>
  request(server.current, 'POST', '/api/auth/signup', {
    body: { email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD, ...fields },
  })
const signIn = (email: string, password = PASSWORD) =>
  request(server.current, 'POST', '/api/auth/signin', { body: { email, password } })
const me = (token: string) => request(server.current, 'GET', '/api/auth/me', { token })

/** An address of exactly this many characters, and no other test's. */
const addressOf = (length: number) => {
  const local = crypto.randomUUID()
  const labels = `${'a'.repeat(60)}.`.repeat(4)
  return `${local}@${labels.slice(0, length - local.length - 5)}.com`.replace('..com', 'a.com')
}

describe('signing up', () => {
  test('answers 201 with a token, and the user as they are at first', async () => {
    const email = uniqueEmail()
    const { status, body } = await signUp({ email })
    expect(status).toBe(201)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      user: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        email,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        email_verified: false,
        display_name: email.split('@')[0]?.slice(0, 30).replace(/-$/, ''),
        avatar_url: null,
      },
    })
    expect(await me(body.access_token)).toMatchObject({
      status: 200,
      body: {
        id: body.user.id,
        email,
        onboarding_completed: false,
        email_verified: false,
        is_admin: false,
        avatar_url: null,
      },
    })
  })

  test('gives an access token of 60 minutes', async () => {
    const { iat = 0, exp = 0 } = decodeJwt((await signUp()).body.access_token)
    expect(exp - iat).toBe(3600)
  })

  test('sets the refresh cookie with every attribute of the contract', async () => {
    const { cookie = '' } = await signUp()
    const [, ...attributes] = cookie.split(';').map((part) => part.trim().toLowerCase())
    expect(attributes.sort()).toEqual([
      'httponly',
      'max-age=31536000',
      'path=/api/auth',
      'samesite=lax',
      'secure',
    ])
    expect(cookieValue(cookie)).not.toBe('')
  })

  test('shares the cookie on the domain that is configured', async () => {
    await using shared = await startServer({ SVC_COOKIE_DOMAIN: 'example.com' })
    const { cookie } = await request(shared, 'POST', '/api/auth/signup', {
      body: { email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD },
    })
    expect(cookie).toContain('Domain=example.com')
  })

  test('takes passwords of 8 and of 128 characters, and signs in with all of them', async () => {
    for (const password of ['é'.repeat(8), 'é'.repeat(128), ' with spaces ', '密码密码密码密码']) {
      const email = uniqueEmail()
      expect((await signUp({ email, password, confirm_password: password })).status).toBe(201)
      expect((await signIn(email, password)).status).toBe(200)
      expect((await signIn(email, password.slice(0, -1))).status).toBe(401)
    }
  })

  test('refuses passwords of 7 and of 129 characters with 422', async () => {
    for (const [password, type] of [
      ['x'.repeat(7), 'string_too_short'],
      ['x'.repeat(129), 'string_too_long'],
    ]) {
      const { status, body } = await signUp({ password, confirm_password: password })
      expect([status, body.detail[0].loc, body.detail[0].type]).toEqual([
        422,
        ['body', 'password'],
        type,
      ])
    }
  })

  test('refuses passwords that differ with 400, and makes no account', async () => {
    const email = uniqueEmail()
    const { status, body } = await signUp({ email, confirm_password: `${PASSWORD} ` })
    expect([status, body]).toEqual([400, { detail: 'Passwords do not match' }])
    expect((await signIn(email)).status).toBe(401)
  })

  test('takes an address of 255 characters, and refuses one of 256 or of 4', async () => {
    expect(addressOf(255)).toHaveLength(255)
    expect((await signUp({ email: addressOf(255) })).status).toBe(201)
    expect((await signUp({ email: addressOf(256) })).status).toBe(422)
    expect((await signUp({ email: 'a@b.' })).status).toBe(422)
  })

  for (const email of [
    'plain-text',
    'two@@example.com',
    '@example.com',
    'nobody@',
    'a b@example.com',
    'nobody@example',
    'nobody@-example.com',
    'Somebody <nobody@example.com>',
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
  ])
    test(`refuses the malformed address ${JSON.stringify(email)} with 400`, async () => {
      const { status, body } = await signUp({ email })
      expect([status, body]).toEqual([400, { detail: 'Invalid email address' }])
    })

  for (const domain of ['mailinator.com', 'MAILINATOR.com'])
    test(`refuses the disposable domain ${domain} with 400`, async () => {
      const { status, body } = await signUp({ email: `${crypto.randomUUID()}@${domain}` })
      expect([status, body]).toEqual([
        400,
        { detail: 'Disposable email addresses are not allowed' },
      ])
    })

  test('knows an address in any case and with spaces around it, and answers 409', async () => {
    const email = uniqueEmail()
    const first = await signUp({ email: `  ${email.toUpperCase()}\n` })
    expect([first.status, first.body.user?.email]).toEqual([201, email])
    const second = await signUp({ email })
    expect([second.status, second.body]).toEqual([409, { detail: 'Email already registered' }])
    expect((await signIn(` ${email.toUpperCase()} `)).body.user.id).toBe(first.body.user.id)
  })

  test('makes one account of an address, also when twenty ask at once', async () => {
    const email = uniqueEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signUp({ email: i % 2 ? email : email.toUpperCase() })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test('makes different names of colliding addresses, also when ten ask at once', async () => {
    const local = `Ada.${crypto.randomUUID().slice(0, 8)}`
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => signUp({ email: `${local}@host-${i}.example.com` })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    const names = answers.map(({ body }) => body.user.display_name)
    expect(new Set(names).size).toBe(10)
    expect(names).toContain(local.toLowerCase().replace('.', '-'))
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })
})

describe('signing in', () => {
  test('answers 200 as signing up does, and sets a cookie of its own', async () => {
    const user = await newUser(server.current)
    const { status, body, cookie } = await signIn(user.email)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'token_type', 'user'])
    expect(body.user.id).toBe(user.id)
    expect(cookie).toContain('HttpOnly')
    expect(cookieValue(cookie)).not.toBe(user.refreshToken)
  })

  test('answers an unknown address and a wrong password alike', async () => {
    const user = await newUser(server.current)
    const answers = [await signIn(user.email, 'wrong password'), await signIn(uniqueEmail())]
    for (const { status, body, cookie } of answers)
      expect([status, body, cookie]).toEqual([
        401,
        { detail: 'Invalid email or password' },
        undefined,
      ])
  })

  test('refuses a text that is no address with 401, however long', async () => {
    const endless = Array.from({ length: 300 }, () => crypto.randomUUID()).join('')
    for (const email of ['', 'x', endless, `${endless}@example.com`])
      expect((await signIn(email)).status).toBe(401)
  })

  test('says which field is missing, and which is no text', async () => {
    const { status, body } = await request(server.current, 'POST', '/api/auth/signin', {
      body: { password: 5 },
    })
    expect([
      status,
      body.detail.map((d: { loc: string[]; type: string }) => [d.loc[1], d.type]),
    ]).toEqual([
      422,
      [
        ['email', 'missing'],
        ['password', 'string_type'],
      ],
    ])
  })

  test('an end of the password is not cut off', async () => {
    const email = uniqueEmail()
    const password = 'p'.repeat(100)
    await signUp({ email, password, confirm_password: password })
    expect((await signIn(email, 'p'.repeat(99))).status).toBe(401)
    expect((await signIn(email, 'p'.repeat(101))).status).toBe(401)
  })
})

test('GET /api/me says who calls, how, and with which tier', async () => {
  const user = await newUser(server.current)
  for (const [token, credential] of [
    [user.accessToken, 'jwt'],
    [user.key, 'api_key'],
  ] as const) {
    const { body } = await request(server.current, 'GET', '/api/me', { token })
    expect(body).toMatchObject({
      id: user.id,
      email: user.email,
      tier: 'amnesiac',
      credential,
      org: null,
    })
    expect(Object.keys((await me(token)).body).sort()).toEqual([
      'avatar_url',
      'display_name',
      'email',
      'email_verified',
      'id',
      'is_admin',
      'onboarding_completed',
    ])
  }
})

test('no password, token, key or address is in the log of all this', async () => {
  const user = await newUser(server.current)
  await signIn(user.email)
  await signIn(user.email, 'a wrong password')
  await request(server.current, 'POST', '/api/auth/refresh', { cookie: user.refreshToken })
  const log = server.current.log.join('')
  for (const secret of [PASSWORD, user.key, user.accessToken, user.refreshToken, user.email])
    expect(log).not.toContain(secret)
})
