import { describe, expect, test } from 'bun:test'
import { decodeJwt, SignJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { startRestartable } from '../harness/http.ts'
import {
  type Answer,
  cookieValue,
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'

const AUTH_SECRET = 'a-secret-of-at-least-32-characters!'
const server = useServer({ SVC_AUTH_SECRET: AUTH_SECRET })
const PERIOD_MS = 30_000

const call = (path: string, options: RequestOptions, method = 'POST') =>
  request(server.current, method, `/api/auth/mfa/${path}`, options)
const setup = ({ accessToken: token }: TestUser) => call('setup', { token })
const enable = ({ accessToken: token }: TestUser, code: string) =>
  call('enable', { token, body: { code } })
const disable = ({ accessToken: token }: TestUser, code: string) =>
  call('disable', { token, body: { code } })
const renew = ({ accessToken: token }: TestUser, code: string) =>
  call('codes', { token, body: { code } })
const status = async ({ accessToken: token }: TestUser) =>
  (await call('status', { token }, 'GET')).body
const signIn = ({ email }: TestUser, password = PASSWORD) =>
  request(server.current, 'POST', '/api/auth/signin', { body: { email, password } })
const partial = async (user: TestUser): Promise<string> => (await signIn(user)).body.partial_token
const verify = (partial_token: string, code: string) =>
  call('verify', { body: { partial_token, code } })

/** The code that an authenticator app shows `steps` periods from now. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * PERIOD_MS,
  })

/** A code that no accepted time step has. */
const wrongCode = (secret: string): string => {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
  for (let n = 100_000; ; n++) if (!near.has(String(n))) return String(n)
}

/** Waits for the next period if this one ends within 5 s, so that codes stay valid during a test. */
const earlyInPeriod = async () => {
  const remainingMs = PERIOD_MS - (Date.now() % PERIOD_MS)
  if (remainingMs < 5_000) await Bun.sleep(remainingMs + 50)
}

interface MfaUser extends TestUser {
  secret: string
  recoveryCodes: string[]
}

/** Enables with the code of the previous period, so that the current and the next code are unused. */
const newMfaUser = async (): Promise<MfaUser> => {
  const user = await newUser(server.current)
  await earlyInPeriod()
  const secret: string = (await setup(user)).body.secret
  const { body } = await enable(user, codeOf(secret, -1))
  return { ...user, secret, recoveryCodes: body.recovery_codes }
}

const summaryOf = ({ status, body }: Answer) => [status, body]
const invalidCode = (code: number) => [code, { detail: 'Invalid code' }]
const challengeEnded = [401, { detail: 'Could not validate credentials' }]

describe('setting up a second factor', () => {
  test('setup returns the secret, an otpauth URL and a QR code', async () => {
    const user = await newUser(server.current)
    const { status: code, body } = await setup(user)
    expect(code).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(body.otpauth_url)
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(url.pathname)).toBe(`/svc:${user.email}`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      issuer: 'svc',
      secret: body.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(body.qr_svg).toStartWith('<svg')
    expect(await status(user)).toEqual({ enabled: false, recovery_codes_remaining: 0 })
  })

  test('a second setup before enabling replaces the secret', async () => {
    const user = await newUser(server.current)
    await earlyInPeriod()
    const first = (await setup(user)).body.secret
    const second = (await setup(user)).body.secret
    expect(second).not.toBe(first)
    expect(summaryOf(await enable(user, codeOf(first)))).toEqual(invalidCode(400))
    expect((await enable(user, codeOf(second))).status).toBe(200)
  })

  test('a sign-in needs no code until the second factor is enabled', async () => {
    const user = await newUser(server.current)
    await setup(user)
    expect((await signIn(user)).body.access_token).toBeString()
  })

  test('setup is 409 once the second factor is enabled', async () => {
    const user = await newMfaUser()
    const conflict = [409, { detail: 'A second factor is already enabled' }]
    expect(summaryOf(await setup(user))).toEqual(conflict)
    expect(summaryOf(await enable(user, codeOf(user.secret)))).toEqual(conflict)
  })
})

describe('enabling a second factor', () => {
  test('enabling returns ten different recovery codes', async () => {
    const user = await newMfaUser()
    expect(user.recoveryCodes).toHaveLength(10)
    expect(new Set(user.recoveryCodes).size).toBe(10)
    for (const code of user.recoveryCodes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/)
    expect(await status(user)).toEqual({ enabled: true, recovery_codes_remaining: 10 })
  })

  test('enabling requires a setup and a correct code', async () => {
    const user = await newUser(server.current)
    expect(summaryOf(await enable(user, '123456'))).toEqual([
      400,
      { detail: 'Set up a second factor first' },
    ])
    const { secret } = (await setup(user)).body
    expect(summaryOf(await enable(user, wrongCode(secret)))).toEqual(invalidCode(400))
    expect(await status(user)).toEqual({ enabled: false, recovery_codes_remaining: 0 })
  })

  test('50 parallel requests enable once, and the returned codes work', async () => {
    const user = await newUser(server.current)
    await earlyInPeriod()
    const { secret } = (await setup(user)).body
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => enable(user, codeOf(secret, -1))),
    )
    const good = answers.filter((answer) => answer.status === 200)
    expect(good).toHaveLength(1)
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]))
    expect(await status(user)).toEqual({ enabled: true, recovery_codes_remaining: 10 })
    const [code = ''] = good[0]?.body.recovery_codes ?? []
    expect((await verify(await partial(user), code)).status).toBe(200)
  })
})

describe('a sign-in with a second factor', () => {
  test('a correct password returns a partial token and sets no cookie', async () => {
    const user = await newMfaUser()
    const { status: code, body, cookie } = await signIn(user)
    expect([code, body, cookie]).toEqual([
      200,
      { mfa_required: true, partial_token: expect.any(String) },
      undefined,
    ])
  })

  test('a wrong password has the usual error', async () => {
    const user = await newMfaUser()
    expect(summaryOf(await signIn(user, 'a wrong password'))).toEqual([
      401,
      { detail: 'Invalid email or password' },
    ])
  })

  test('the code completes the sign-in and sets the cookie', async () => {
    const user = await newMfaUser()
    await earlyInPeriod()
    const answer = await verify(await partial(user), ` ${codeOf(user.secret)} `)
    expect(summaryOf(answer)).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'bearer',
        user: expect.objectContaining({ id: user.id, email: user.email }),
      },
    ])
    const me = await request(server.current, 'GET', '/api/me', { token: answer.body.access_token })
    expect(me.body.id).toBe(user.id)
    const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(answer.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  for (const [which, steps] of [
    ['next', 1],
    ['current', 0],
  ] as const)
    test(`the code of the ${which} period is accepted`, async () => {
      const user = await newMfaUser()
      await earlyInPeriod()
      expect((await verify(await partial(user), codeOf(user.secret, steps))).status).toBe(200)
    })

  test('a code two periods away is refused', async () => {
    const user = await newMfaUser()
    await earlyInPeriod()
    const token = await partial(user)
    for (const steps of [-2, 2])
      expect(summaryOf(await verify(token, codeOf(user.secret, steps)))).toEqual(invalidCode(401))
  })

  test('a used code and an earlier one are refused', async () => {
    const user = await newMfaUser()
    await earlyInPeriod()
    const used = codeOf(user.secret, 1)
    expect((await verify(await partial(user), used)).status).toBe(200)
    for (const code of [used, codeOf(user.secret), codeOf(user.secret, -1)])
      expect(summaryOf(await verify(await partial(user), code))).toEqual(invalidCode(401))
  })

  test('the code that enabled the second factor is refused', async () => {
    const user = await newMfaUser()
    const used = codeOf(user.secret, -1)
    expect(summaryOf(await verify(await partial(user), used))).toEqual(invalidCode(401))
  })

  test('a recovery code works once, in any case and spacing', async () => {
    const user = await newMfaUser()
    const [first = '', second = ''] = user.recoveryCodes
    expect((await verify(await partial(user), first)).status).toBe(200)
    expect(summaryOf(await verify(await partial(user), first))).toEqual(invalidCode(401))
    const typed = second.toUpperCase().replaceAll('-', ' ')
    expect((await verify(await partial(user), typed)).status).toBe(200)
    expect(await status(user)).toEqual({ enabled: true, recovery_codes_remaining: 8 })
  })

  test('a recovery code of another user is refused', async () => {
    const [user, other] = [await newMfaUser(), await newMfaUser()]
    const [code = ''] = other.recoveryCodes
    expect(summaryOf(await verify(await partial(user), code))).toEqual(invalidCode(401))
    expect((await verify(await partial(other), code)).status).toBe(200)
  })
})

describe('50 parallel attempts', () => {
  test('attempts with one code and separate partial tokens sign in once', async () => {
    const user = await newMfaUser()
    const tokens: string[] = []
    for (let i = 0; i < 50; i++) tokens.push(await partial(user))
    await earlyInPeriod()
    const code = codeOf(user.secret)
    const answers = await Promise.all(tokens.map((token) => verify(token, code)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    for (const answer of answers) expect([200, 401, 429]).toContain(answer.status)
  })

  test('attempts with one partial token sign in once', async () => {
    const user = await newMfaUser()
    const token = await partial(user)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => verify(token, user.recoveryCodes[i % 10] ?? '')),
    )
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect(await status(user)).toEqual({ enabled: true, recovery_codes_remaining: 9 })
  })

  test('attempts with one recovery code sign in once', async () => {
    const user = await newMfaUser()
    const tokens: string[] = []
    for (let i = 0; i < 50; i++) tokens.push(await partial(user))
    const [code = ''] = user.recoveryCodes
    const answers = await Promise.all(tokens.map((token) => verify(token, code)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect((await status(user)).recovery_codes_remaining).toBe(9)
  })

  test('attempts with wrong codes are checked at most five times', async () => {
    const user = await newMfaUser()
    const token = await partial(user)
    const wrong = wrongCode(user.secret)
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token, wrong)))
    const details = answers.map((answer) => answer.body.detail)
    expect(details.filter((detail) => detail === 'Invalid code')).toHaveLength(5)
    expect(new Set(details)).toEqual(new Set(['Invalid code', 'Could not validate credentials']))
  })
})

describe('a partial token', () => {
  test('a partial token is valid for five minutes', async () => {
    const { exp = 0, iat = 0 } = decodeJwt(await partial(await newMfaUser()))
    expect(exp - iat).toBe(300)
  })

  test('an expired partial token is refused with a correct code', async () => {
    const user = await newMfaUser()
    const claims = decodeJwt(await partial(user))
    const [header = ''] = (await partial(user)).split('.')
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
    const past = Math.floor(Date.now() / 1000) - 1
    const old = await new SignJWT({ ...claims, exp: past })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .sign(new TextEncoder().encode(AUTH_SECRET))
    expect(summaryOf(await verify(old, codeOf(user.secret)))).toEqual(challengeEnded)
  })

  test('a partial token is refused after five wrong codes', async () => {
    const user = await newMfaUser()
    const wrong = wrongCode(user.secret)
    const [recovery = '', other = ''] = user.recoveryCodes
    const otherChallenge = await partial(user)
    for (let i = 0; i < 4; i++)
      expect(summaryOf(await verify(otherChallenge, wrong))).toEqual(invalidCode(401))
    expect((await verify(otherChallenge, recovery)).status).toBe(200)

    const dead = await partial(user)
    for (let i = 0; i < 5; i++)
      expect(summaryOf(await verify(dead, wrong))).toEqual(invalidCode(401))
    const refused = await verify(dead, other)
    expect(summaryOf(refused)).toEqual(challengeEnded)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect(refused.cookie).toBeUndefined()
  })

  test('a partial token works once', async () => {
    const user = await newMfaUser()
    const token = await partial(user)
    const [first = '', second = ''] = user.recoveryCodes
    expect((await verify(token, first)).status).toBe(200)
    expect(summaryOf(await verify(token, second))).toEqual(challengeEnded)
    expect((await status(user)).recovery_codes_remaining).toBe(9)
  })

  test('a partial token is not accepted by other endpoints', async () => {
    const user = await newMfaUser()
    const token = await partial(user)
    const asBearer = await request(server.current, 'GET', '/api/auth/me', { token })
    const asCookie = await request(server.current, 'POST', '/api/auth/refresh', { cookie: token })
    for (const answer of [asBearer, asCookie]) expect(summaryOf(answer)).toEqual(challengeEnded)
  })

  test('other signed tokens are not accepted as partial tokens', async () => {
    const user = await newMfaUser()
    const [code = ''] = user.recoveryCodes
    for (const token of [user.accessToken, user.refreshToken, 'abc', ''])
      expect(summaryOf(await verify(token, code))).toEqual(challengeEnded)
  })

  test('revoking all sessions ends a partial token', async () => {
    const user = await newMfaUser()
    const token = await partial(user)
    const [code = ''] = user.recoveryCodes
    await request(server.current, 'DELETE', '/api/auth/sessions', { token: user.accessToken })
    expect(summaryOf(await verify(token, code))).toEqual(challengeEnded)
  })
})

describe('wrong codes', () => {
  test('wrong codes lock the account, counted over all partial tokens', async () => {
    const user = await newMfaUser()
    const wrong = wrongCode(user.secret)
    for (let i = 0; i < 10; i += 5) {
      const token = await partial(user)
      for (let j = 0; j < 5; j++)
        expect(summaryOf(await verify(token, wrong))).toEqual(invalidCode(401))
    }
    const locked = await signIn(user)
    expect(summaryOf(locked)).toEqual([
      429,
      { detail: 'Too many failed sign-ins. Try again in 15 minutes.' },
    ])
  })

  test('a locked account refuses a correct code', async () => {
    const user = await newMfaUser()
    const wrong = wrongCode(user.secret)
    const waiting = await partial(user)
    for (let i = 0; i < 10; i += 5) {
      const token = await partial(user)
      for (let j = 0; j < 5; j++) await verify(token, wrong)
    }
    const [code = ''] = user.recoveryCodes
    expect((await verify(waiting, code)).status).toBe(429)
    expect((await disable(user, code)).status).toBe(429)
    expect((await status(user)).recovery_codes_remaining).toBe(10)
  })

  test('wrong codes stay counted after a correct password and are cleared by a correct code', async () => {
    const user = await newMfaUser()
    const wrong = wrongCode(user.secret)
    for (const [round, code = ''] of user.recoveryCodes.slice(0, 3).entries()) {
      const first = await partial(user)
      for (let i = 0; i < 5; i++) await verify(first, wrong)
      const second = await partial(user)
      for (let i = 0; i < 4; i++) await verify(second, wrong)
      expect([round, (await verify(second, code)).status]).toEqual([round, 200])
    }
  })

  test('wrong codes count when disabling and renewing too', async () => {
    const user = await newMfaUser()
    const wrong = wrongCode(user.secret)
    for (let i = 0; i < 5; i++) {
      expect(summaryOf(await disable(user, wrong))).toEqual(invalidCode(400))
      expect(summaryOf(await renew(user, wrong))).toEqual(invalidCode(400))
    }
    const [code = ''] = user.recoveryCodes
    expect((await disable(user, code)).status).toBe(429)
    expect((await signIn(user)).status).toBe(429)
  })
})

describe('disabling a second factor', () => {
  test('a correct code disables the second factor; the password suffices again', async () => {
    const user = await newMfaUser()
    await earlyInPeriod()
    const waiting = await partial(user)
    expect(summaryOf(await disable(user, codeOf(user.secret)))).toEqual([
      200,
      { message: expect.any(String) },
    ])
    expect(await status(user)).toEqual({ enabled: false, recovery_codes_remaining: 0 })
    expect((await signIn(user)).body.access_token).toBeString()
    const [code = ''] = user.recoveryCodes
    expect(summaryOf(await verify(waiting, code))).toEqual(challengeEnded)
  })

  test('a recovery code disables the second factor; a new setup is possible', async () => {
    const user = await newMfaUser()
    const [code = ''] = user.recoveryCodes
    expect((await disable(user, code)).status).toBe(200)
    expect((await setup(user)).body.secret).not.toBe(user.secret)
  })

  test('a code that was used to sign in is refused', async () => {
    const user = await newMfaUser()
    await earlyInPeriod()
    const code = codeOf(user.secret)
    await verify(await partial(user), code)
    expect(summaryOf(await disable(user, code))).toEqual(invalidCode(400))
    expect(await status(user)).toMatchObject({ enabled: true })
  })

  test('disabling and renewing without a second factor is 400', async () => {
    const user = await newUser(server.current)
    for (const act of [disable, renew])
      expect(summaryOf(await act(user, '123456'))).toEqual([
        400,
        { detail: 'No second factor is enabled' },
      ])
  })
})

describe('renewing the recovery codes', () => {
  test('renewing returns ten new codes and revokes the old ones', async () => {
    const user = await newMfaUser()
    await earlyInPeriod()
    const { body } = await renew(user, codeOf(user.secret))
    expect(body.recovery_codes).toHaveLength(10)
    const [old = ''] = user.recoveryCodes
    expect(summaryOf(await verify(await partial(user), old))).toEqual(invalidCode(401))
    expect((await verify(await partial(user), body.recovery_codes[0])).status).toBe(200)
  })

  test('50 parallel renewals with one recovery code renew once', async () => {
    const user = await newMfaUser()
    const [code = ''] = user.recoveryCodes
    const answers = await Promise.all(Array.from({ length: 50 }, () => renew(user, code)))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    expect((await status(user)).recovery_codes_remaining).toBe(10)
  })
})

describe('the MFA endpoints', () => {
  const paths = [
    ['GET', 'status', undefined],
    ['POST', 'setup', undefined],
    ['POST', 'enable', { code: '123456' }],
    ['POST', 'disable', { code: '123456' }],
    ['POST', 'codes', { code: '123456' }],
  ] as const

  for (const [method, path, body] of paths)
    test(`${path} accepts an access token and refuses an API key and the cookie`, async () => {
      const user = await newUser(server.current)
      const options = body && { body }
      expect((await call(path, { ...options, token: user.key }, method)).status).toBe(403)
      expect((await call(path, { ...options, cookie: user.refreshToken }, method)).status).toBe(401)
    })

  for (const path of ['enable', 'disable', 'codes', 'verify'])
    test(`${path} names missing and too long fields`, async () => {
      const { accessToken: token } = await newUser(server.current)
      const missing = await call(path, { token, body: {} })
      expect(missing.status).toBe(422)
      expect(missing.body.detail.at(-1)).toMatchObject({ loc: ['body', 'code'], type: 'missing' })
      for (const [code, type] of [
        ['  ', 'string_too_short'],
        ['1'.repeat(65), 'string_too_long'],
        [123456, 'string_type'],
      ]) {
        const { body } = await call(path, { token, body: { code, partial_token: 'x' } })
        expect(body.detail).toMatchObject([{ loc: ['body', 'code'], type }])
      }
    })
})

describe('storage of the second factor', () => {
  test('secrets, codes and partial tokens are not logged', async () => {
    const user = await newMfaUser()
    const token = await partial(user)
    const [code = ''] = user.recoveryCodes
    await verify(token, wrongCode(user.secret))
    await verify(token, code)
    const log = server.current.log.join('')
    for (const secret of [user.secret, token, code]) expect(log).not.toContain(secret)
  })

  test('the second factor and its used codes survive a restart', async () => {
    await using restartable = await startRestartable({ SVC_AUTH_SECRET: AUTH_SECRET })
    const email = uniqueEmail()
    const send = (path: string, body: unknown, token?: string) =>
      request(restartable.current, 'POST', `/api/auth/${path}`, { body, ...(token && { token }) })
    const signedUp = await send('signup', { email, password: PASSWORD, confirm_password: PASSWORD })
    const token = signedUp.body.access_token
    await earlyInPeriod()
    const { secret } = (await send('mfa/setup', {}, token)).body
    const enabled = await send('mfa/enable', { code: codeOf(secret, -1) }, token)

    await restartable.restart()
    await earlyInPeriod()
    const code = codeOf(secret)
    const signedIn = await send('signin', { email, password: PASSWORD })
    const { partial_token } = signedIn.body
    expect((await send('mfa/verify', { partial_token, code })).status).toBe(200)
    const [recovery] = enabled.body.recovery_codes
    const again = (await send('signin', { email, password: PASSWORD })).body.partial_token
    const reused = await send('mfa/verify', { partial_token: again, code })
    expect(summaryOf(reused)).toEqual(invalidCode(401))
    const last = await send('mfa/verify', { partial_token: again, code: recovery })
    expect(last.status).toBe(200)
  })
})

describe('the sign-in page of a device login', () => {
  const PAGE = '/api/auth/mcp/device'
  const post = (path: string, fields: Record<string, string>) =>
    request(server.current, 'POST', `${PAGE}${path}`, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: server.current.baseUrl,
      },
    })
  const field = (text: string, name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''

  test('the page asks for the code after the password and continues to the question', async () => {
    const user = await newMfaUser()
    const { user_code } = (
      await request(server.current, 'POST', '/api/auth/mcp/start', { body: {} })
    ).body
    const challenge = await post('/signin', { user_code, email: user.email, password: PASSWORD })
    expect([challenge.status, challenge.cookie]).toEqual([200, undefined])
    const fields = {
      user_code: field(challenge.text, 'user_code'),
      partial_token: field(challenge.text, 'partial_token'),
    }
    expect(fields.user_code).toBe(user_code)

    const wrong = await post('/verify', { ...fields, code: wrongCode(user.secret) })
    expect([wrong.status, wrong.cookie]).toEqual([401, undefined])
    expect(wrong.text).toContain('Invalid code')
    expect(field(wrong.text, 'partial_token')).toBe(fields.partial_token)

    const [code = ''] = user.recoveryCodes
    const done = await post('/verify', { ...fields, code })
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      `${PAGE}?user_code=${user_code}`,
    ])
    const page = await request(server.current, 'GET', `${PAGE}?user_code=${user_code}`, {
      cookie: cookieValue(done.cookie),
    })
    expect(page.text).toContain(`Signed in as ${user.email}`)
  })

  test('input is escaped, and a form from another origin is 403', async () => {
    const evil = '"><script>x</script>'
    const shown = await post('/verify', { partial_token: evil, user_code: evil, code: evil })
    expect(shown.status).toBe(401)
    expect(shown.text).not.toContain('<script>')
    const foreign = await request(server.current, 'POST', `${PAGE}/verify`, {
      body: '',
      headers: { origin: 'https://evil.example.com' },
    })
    expect(foreign.status).toBe(403)
  })
})
