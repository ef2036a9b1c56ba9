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

/** A unique address of `length` characters. */
const addressOf = (length: number) => {
  const local = crypto.randomUUID()
  const labels = `${'a'.repeat(60)}.`.repeat(4)
  return `${local}@${labels.slice(0, length - local.length - 5)}.com`.replace('..com', 'a.com')
}

describe('signing up', () => {
  test('signing up is 201 with an access token and the new user', async () => {
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

  test('the access token is valid for 60 minutes', async () => {
    const { iat = 0, exp = 0 } = decodeJwt((await signUp()).body.access_token)
    expect(exp - iat).toBe(3600)
  })

  test('the refresh cookie has every attribute of the contract', async () => {
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

  test('the cookie has the configured domain', async () => {
    await using shared = await startServer({ SVC_COOKIE_DOMAIN: 'example.com' })
    const { cookie } = await request(shared, 'POST', '/api/auth/signup', {
      body: { email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD },
    })
    expect(cookie).toContain('Domain=example.com')
  })

  test('passwords of 8 and of 128 characters are accepted and not truncated', async () => {
    for (const password of [
      'é'.repeat(8),
      'é'.repeat(128),
      ' with spaces ',
      '密码密码密码密码',
      '🦉'.repeat(8),
    ]) {
      const email = uniqueEmail()
      expect((await signUp({ email, password, confirm_password: password })).status).toBe(201)
      expect((await signIn(email, password)).status).toBe(200)
      expect((await signIn(email, [...password].slice(0, -1).join(''))).status).toBe(401)
    }
  })

  test('passwords of 7 and of 129 characters are 422', async () => {
    for (const [password, type] of [
      ['x'.repeat(7), 'string_too_short'],
      ['🦉'.repeat(4), 'string_too_short'],
      ['🦉'.repeat(7), 'string_too_short'],
      ['🦉'.repeat(129), 'string_too_long'],
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

  test('passwords that differ are 400 and create no account', async () => {
    const email = uniqueEmail()
    const { status, body } = await signUp({ email, confirm_password: `${PASSWORD} ` })
    expect([status, body]).toEqual([400, { detail: 'Passwords do not match' }])
    expect((await signIn(email)).status).toBe(401)
  })

  test('an address of 255 characters is accepted, one of 256 or of 4 is refused', async () => {
    expect(addressOf(255)).toHaveLength(255)
    expect((await signUp({ email: addressOf(255) })).status).toBe(201)
    expect((await signUp({ email: addressOf(256) })).status).toBe(422)
    expect((await signUp({ email: 'a@b.' })).status).toBe(422)
    expect((await signUp({ email: '🦉@b.' })).status).toBe(422)
  })

  test('an address of 5 characters is accepted and mailed', async () => {
    const { status, body } = await signUp({ email: 'a@b.c' })
    expect([status, body.user?.email]).toEqual([201, 'a@b.c'])
    expect(await server.current.noticed(/^Mail to a@b\.c /)).toContain('/verify?token=')
  })

  for (const email of [
    'plain-text',
    'two@@example.com',
    '@example.com',
    'someone@',
    'a b@example.com',
    'someone@example',
    'someone@-example.com',
    'Someone <someone@example.com>',
    'a@example.com,b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    '"x@evil.example x"@example.org',
    '"x"@example.org',
    '"x y"@example.org',
    'ａda@example.com',
    'ada@ｅxample.com',
    'ada＠example.com',
    'ad\u200ba@example.com',
    'ad\u00a0a@example.com',
    'ada\u3164@example.com',
    'ada@example.1',
    'ada@[127.0.0.1]',
    'ada@127.0.0.1',
    'ada@example.com.',
    'ada@example..com',
  ])
    test(`the malformed address ${JSON.stringify(email)} is 400`, async () => {
      const { status, body } = await signUp({ email })
      expect([status, body]).toEqual([400, { detail: 'Invalid email address' }])
    })

  for (const domain of [
    'mailinator.com',
    'MAILINATOR.com',
    'x.mailinator.com',
    'deep.er.MAILINATOR.com',
  ])
    test(`the disposable domain ${domain} is 400`, async () => {
      const { status, body } = await signUp({ email: `${crypto.randomUUID()}@${domain}` })
      expect([status, body]).toEqual([
        400,
        { detail: 'Disposable email addresses are not allowed' },
      ])
    })

  test('a registered address in another case or with spaces is 409', async () => {
    const email = uniqueEmail()
    const first = await signUp({ email: `  ${email.toUpperCase()}\n` })
    expect([first.status, first.body.user?.email]).toEqual([201, email])
    const second = await signUp({ email })
    expect([second.status, second.body]).toEqual([409, { detail: 'Email already registered' }])
    expect((await signIn(` ${email.toUpperCase()} `)).body.user.id).toBe(first.body.user.id)
  })

  test('twenty parallel sign-ups with one address create one account', async () => {
    const email = uniqueEmail()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => signUp({ email: i % 2 ? email : email.toUpperCase() })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  })

  test('ten parallel sign-ups with colliding addresses get different usernames', async () => {
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
  test('signing in is 200 with an access token and sets a new cookie', async () => {
    const user = await newUser(server.current)
    const { status, body, cookie } = await signIn(user.email)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['access_token', 'token_type', 'user'])
    expect(body.user.id).toBe(user.id)
    expect(cookie).toContain('HttpOnly')
    expect(cookieValue(cookie)).not.toBe(user.refreshToken)
  })

  test('an unknown address and a wrong password have the same error', async () => {
    const user = await newUser(server.current)
    const answers = [await signIn(user.email, 'wrong password'), await signIn(uniqueEmail())]
    for (const { status, body, cookie } of answers)
      expect([status, body, cookie]).toEqual([
        401,
        { detail: 'Invalid email or password' },
        undefined,
      ])
  })

  test('a malformed address is 401, of any length', async () => {
    const endless = Array.from({ length: 300 }, () => crypto.randomUUID()).join('')
    for (const email of ['', 'x', endless, `${endless}@example.com`])
      expect((await signIn(email)).status).toBe(401)
  })

  test('missing and non-string fields are 422', async () => {
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

  test('a truncated password is refused', async () => {
    const email = uniqueEmail()
    const password = 'p'.repeat(100)
    await signUp({ email, password, confirm_password: password })
    expect((await signIn(email, 'p'.repeat(99))).status).toBe(401)
    expect((await signIn(email, 'p'.repeat(101))).status).toBe(401)
  })
})

test('GET /api/me returns the user, the credential and the tier', async () => {
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

test('passwords, tokens, keys and addresses are not logged', async () => {
  const user = await newUser(server.current)
  await signIn(user.email)
  await signIn(user.email, 'a wrong password')
  await request(server.current, 'POST', '/api/auth/refresh', { cookie: user.refreshToken })
  const log = server.current.log.join('')
  for (const secret of [PASSWORD, user.key, user.accessToken, user.refreshToken, user.email])
    expect(log).not.toContain(secret)
})
