import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { startRestartable } from '../harness/http.ts'
import { linkIn, startMailbox, tokenIn, useSharedServerWithMail } from '../harness/mail.ts'
import {
  cookieValue,
  newAddress,
  newUser,
  PASSWORD,
  request,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'

// Emails are sent by jobs, and some tests start more servers.
setDefaultTimeout(60_000)

const it = useSharedServerWithMail()
const NEW_PASSWORD = 'a new password that no one guesses'
const RESET = 'Reset your password'
const CHANGED = 'Your password was changed'
const COMMON = 'This password is among the 10,000 most common; choose another one'
const SHORT = 'The password must have at least 8 characters'
const BAD_LINK = { detail: 'This reset link is invalid or has expired' }

const post = (path: string, body: unknown, token?: string, server: TestServer = it.server) =>
  request(server, 'POST', `/api/auth/${path}`, { body, ...(token && { token }) })
const forgot = (email: unknown) => post('forgot-password', { email })
const reset = (token: unknown, password: unknown = NEW_PASSWORD, server?: TestServer) =>
  post('reset-password', { token, password }, undefined, server)
const change = (
  { accessToken }: TestUser,
  new_password: unknown = NEW_PASSWORD,
  current_password: unknown = PASSWORD,
  server?: TestServer,
) => post('change-password', { current_password, new_password }, accessToken, server)
const signIn = (email: string, password: string, server?: TestServer) =>
  post('signin', { email, password }, undefined, server)
const statusOf = async (token: string) =>
  (await request(it.server, 'GET', '/api/auth/me', { token })).status
const refresh = (cookie: string) => request(it.server, 'POST', '/api/auth/refresh', { cookie })

/** A new user with a mailed reset token. */
const newUserWithResetLink = async () => {
  const user = await newUser(it.server)
  await forgot(user.email)
  return { user, token: tokenIn(await it.mailbox.next(user.email, RESET)) }
}

describe('requesting a reset link', () => {
  test('the request mails a link to the reset page', async () => {
    const user = await newUser(it.server)
    const { status, body } = await forgot(`  ${user.email.toUpperCase()} `)
    expect([status, body]).toEqual([
      200,
      { message: 'If an account has this address, a reset link was sent to it' },
    ])
    const link = linkIn(await it.mailbox.next(user.email, RESET))
    expect(link.href).toStartWith(`${it.server.baseUrl}/reset?token=`)
    expect(link.searchParams.get('token')).toMatch(/^[\w-]{43}$/)
  })

  test('the response does not reveal whether the account exists; only accounts get an email', async () => {
    const user = await newUser(it.server)
    const unknownEmail = uniqueEmail()
    const [known, ...others] = [
      await forgot(user.email),
      await forgot(unknownEmail),
      await forgot('no address at all'),
      await forgot(`${'x'.repeat(400)}@example.com`),
    ]
    for (const other of others) {
      expect([other.status, other.text]).toEqual([known.status, known.text])
      expect([...other.headers.keys()].sort()).toEqual([...known.headers.keys()].sort())
    }
    // Links are mailed in order of request, so an email to the unknown address would have arrived.
    await it.mailbox.next(user.email, RESET)
    await forgot(user.email)
    await it.mailbox.next(user.email, RESET)
    expect(it.mailbox.mails.filter(({ to }) => to.includes(unknownEmail))).toEqual([])
  })

  test('an empty address is 400', async () => {
    for (const body of [{}, { email: '' }, { email: '   ' }, { email: null }]) {
      const answer = await post('forgot-password', body)
      expect([answer.status, answer.body]).toEqual([400, { detail: 'Email is required' }])
    }
  })

  test('an account receives at most 20 links an hour; the response stays the same', async () => {
    const user = await newUser(it.server)
    await it.mailbox.next(user.email, 'Confirm')
    const last = await newUser(it.server)
    for (let i = 0; i < 25; i++) expect((await forgot(user.email)).status).toBe(200)
    await forgot(last.email)
    await it.mailbox.next(last.email, RESET)
    expect(it.mailbox.mails.filter(({ to }) => to.includes(user.email))).toHaveLength(21)
  })

  test('the sixth auth request of a client address in a minute is 429', async () => {
    const from = newAddress()
    const send = (path: string) =>
      request(it.server, 'POST', `/api/auth/${path}`, { from, body: { email: uniqueEmail() } })
    for (let i = 0; i < 3; i++) expect((await send('forgot-password')).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await send('reset-password')).status).toBe(400)
    for (const path of ['forgot-password', 'reset-password'])
      expect((await send(path)).status).toBe(429)
  })
})

describe('a reset link', () => {
  test('a reset link replaces the password', async () => {
    const { user, token } = await newUserWithResetLink()
    const { status, body } = await reset(token)
    expect([status, body]).toEqual([
      200,
      { message: 'Password changed; sign in with the new password' },
    ])
    expect((await signIn(user.email, PASSWORD)).status).toBe(401)
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('a reset ends all sessions and keeps the API keys of a verified account', async () => {
    const user = await newUser(it.server)
    await post('verify-email', { token: tokenIn(await it.mailbox.next(user.email, 'Confirm')) })
    await forgot(user.email)
    const token = tokenIn(await it.mailbox.next(user.email, RESET))
    const other = await signIn(user.email, PASSWORD)
    await reset(token)
    expect(await statusOf(user.accessToken)).toBe(401)
    expect(await statusOf(other.body.access_token)).toBe(401)
    expect((await refresh(user.refreshToken)).status).toBe(401)
    expect((await refresh(cookieValue(other.cookie))).status).toBe(401)
    expect(await statusOf(user.key)).toBe(200)
  })

  test('a reset of an unverified account revokes its API keys, second factor and providers', async () => {
    const { user: squatted, token } = await newUserWithResetLink()
    const { secret } = (await post('mfa/setup', {}, squatted.accessToken)).body
    const code = new TOTP({ secret }).generate()
    expect((await post('mfa/enable', { code }, squatted.accessToken)).status).toBe(200)
    await reset(token)
    expect(await statusOf(squatted.key)).toBe(401)
    const owner = await signIn(squatted.email, NEW_PASSWORD)
    expect(owner.body).toHaveProperty('access_token')
  })

  test('a reset verifies the address and mails a notice to it', async () => {
    const { user, token } = await newUserWithResetLink()
    await reset(token)
    const { body } = await signIn(user.email, NEW_PASSWORD)
    expect(body.user).toMatchObject({ email: user.email, email_verified: true })
    const notice = await it.mailbox.next(user.email, CHANGED)
    expect(notice.text).toMatch(
      /changed on \d{4}-\d\d-\d\d at \d\d:\d\d UTC, from the address 198\.18\./,
    )
    expect(notice.text).toContain(`${it.server.baseUrl}/reset`)
  })

  test('a reset unlocks an account that failed sign-ins locked', async () => {
    const { user, token } = await newUserWithResetLink()
    for (let i = 0; i < 10; i++) await signIn(user.email, 'wrong')
    expect((await signIn(user.email, PASSWORD)).status).toBe(429)
    await reset(token)
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('a link works once', async () => {
    const { token } = await newUserWithResetLink()
    expect((await reset(token)).status).toBe(200)
    const again = await reset(token)
    expect([again.status, again.body]).toEqual([400, BAD_LINK])
  })

  test('a link used fifty times in parallel works once', async () => {
    const { user, token } = await newUserWithResetLink()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => reset(token, `${NEW_PASSWORD} ${i}`)),
    )
    const winners = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []))
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect((await signIn(user.email, `${NEW_PASSWORD} ${winners[0]}`)).status).toBe(200)
  }, 60_000)

  test('a parallel sign-in with the old password leaves no session', async () => {
    const { user, token } = await newUserWithResetLink()
    const [done, ...signedIn] = await Promise.all([
      reset(token),
      ...Array.from({ length: 8 }, () => signIn(user.email, PASSWORD)),
    ])
    expect(done.status).toBe(200)
    for (const { status, body } of signedIn)
      expect(status === 401 || (await statusOf(body.access_token)) === 401).toBe(true)
  })

  test('using a link ends the other reset links', async () => {
    const { user, token } = await newUserWithResetLink()
    await forgot(user.email)
    const second = tokenIn(await it.mailbox.next(user.email, RESET))
    expect((await reset(second)).status).toBe(200)
    expect((await reset(token)).status).toBe(400)
  })

  test('a link expires after an hour', async () => {
    await using mailbox = await startMailbox()
    await using restartable = await startRestartable({ SVC_SMTP_URL: mailbox.url })
    const tokenOf = async (user: TestUser) => {
      await post('forgot-password', { email: user.email }, undefined, restartable.current)
      return tokenIn(await mailbox.next(user.email, RESET))
    }
    const [early, late] = [await newUser(restartable.current), await newUser(restartable.current)]
    const [good, expired] = [await tokenOf(early), await tokenOf(late)]
    const age = (user: TestUser, minutes: number) =>
      `update mailed_links set expires_at = expires_at - interval '${minutes} minutes' where user_id = '${user.id}'`
    await restartable.change(age(early, 58), age(late, 60))
    expect((await reset(good, NEW_PASSWORD, restartable.current)).status).toBe(200)
    const refused = await reset(expired, NEW_PASSWORD, restartable.current)
    expect([refused.status, refused.body]).toEqual([400, BAD_LINK])
    expect((await signIn(late.email, PASSWORD, restartable.current)).status).toBe(200)
  })

  test('a malformed token and a verification token are 400', async () => {
    const user = await newUser(it.server)
    const other = tokenIn(await it.mailbox.next(user.email, 'Confirm'))
    for (const token of ['x', 'A'.repeat(43), 'A'.repeat(5000), other]) {
      const { status, body } = await reset(token)
      expect([status, body]).toEqual([400, BAD_LINK])
    }
    expect((await post('verify-email', { token: other })).status).toBe(200)
    for (const input of [{}, { token: '' }, { token: null }, { token: 7 }]) {
      const { status, body } = await post('reset-password', { ...input, password: NEW_PASSWORD })
      expect([status, body]).toEqual([400, { detail: 'Token is required' }])
    }
  })

  test('a link to a former address of the account is 400', async () => {
    const { user, token } = await newUserWithResetLink()
    const email = uniqueEmail()
    await post('change-verification-email', { email }, user.accessToken)
    await post('verify-email', { token: tokenIn(await it.mailbox.next(email, 'Confirm')) })
    expect((await reset(token)).status).toBe(400)
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  test('a refused password does not consume the link', async () => {
    const { user, token } = await newUserWithResetLink()
    const short = ['', '1234567', '🦉'.repeat(4), '🦉'.repeat(7), null]
    for (const password of [{}, ...short.map((password) => ({ password }))]) {
      const { status, body } = await post('reset-password', { token, ...password })
      expect([status, body]).toEqual([400, { detail: SHORT }])
    }
    expect((await reset(token, 'z8#k!qpw')).status).toBe(200)
    expect((await signIn(user.email, 'z8#k!qpw')).status).toBe(200)
  })

  test('a password of any length is accepted and not truncated', async () => {
    const { user, token } = await newUserWithResetLink()
    const long = 'long password '.repeat(80)
    expect((await reset(token, long)).status).toBe(200)
    expect((await signIn(user.email, long)).status).toBe(200)
    expect((await signIn(user.email, long.slice(0, -1))).status).toBe(401)
  })
})

describe('changing the password', () => {
  test('changing the password requires the current one', async () => {
    const user = await newUser(it.server)
    const { status, body } = await change(user)
    expect([status, body]).toEqual([200, { message: 'Password changed' }])
    expect((await signIn(user.email, PASSWORD)).status).toBe(401)
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
    expect((await it.mailbox.next(user.email, CHANGED)).to).toEqual([user.email])
  })

  test('a change ends the other sessions and keeps the current one and the API keys', async () => {
    const user = await newUser(it.server)
    const other = await signIn(user.email, PASSWORD)
    await change(user)
    expect(await statusOf(other.body.access_token)).toBe(401)
    expect((await refresh(cookieValue(other.cookie))).status).toBe(401)
    expect(await statusOf(user.accessToken)).toBe(200)
    expect((await refresh(user.refreshToken)).status).toBe(200)
    expect(await statusOf(user.key)).toBe(200)
  })

  test('a missing, short or wrong password is 400', async () => {
    const user = await newUser(it.server)
    const [current_password, new_password] = [PASSWORD, NEW_PASSWORD]
    for (const [fields, detail] of [
      [{ current_password: 'wrong', new_password }, 'Current password is wrong'],
      [{ new_password }, 'Current password is required'],
      [{ current_password: '', new_password }, 'Current password is required'],
      [{ current_password }, SHORT],
      [{ current_password, new_password: '1234567' }, SHORT],
      [{ current_password, new_password: '🦉'.repeat(7) }, SHORT],
      [{ current_password, new_password: 'password123' }, COMMON],
    ] as const) {
      const { status, body } = await post('change-password', fields, user.accessToken)
      expect([status, body]).toEqual([400, { detail }])
    }
    expect((await signIn(user.email, PASSWORD)).status).toBe(200)
    expect((await change(user, 'z8#k!qpw')).status).toBe(200)
  })

  test('an API key cannot change the password', async () => {
    const { key } = await newUser(it.server)
    const body = { current_password: PASSWORD, new_password: NEW_PASSWORD }
    expect((await post('change-password', body)).status).toBe(401)
    expect((await post('change-password', body, key)).status).toBe(403)
  })

  test('fifty parallel changes succeed once', async () => {
    const user = await newUser(it.server)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => change(user, `${NEW_PASSWORD} ${i}`)),
    )
    const winners = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []))
    expect(winners).toHaveLength(1)
    expect((await signIn(user.email, `${NEW_PASSWORD} ${winners[0]}`)).status).toBe(200)
  }, 60_000)

  test('more than ten wrong passwords are 429, in sequence and in parallel', async () => {
    const user = await newUser(it.server)
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => change(user, NEW_PASSWORD, 'wrong')),
    )
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    expect((await change(user)).status).toBe(429)
    expect((await signIn(user.email, PASSWORD)).status).toBe(200)
  }, 60_000)

  test('an account without a password cannot change it; a reset link sets one', async () => {
    await using mailbox = await startMailbox()
    await using restartable = await startRestartable({ SVC_SMTP_URL: mailbox.url })
    const user = await newUser(restartable.current)
    await restartable.change('update users set password_hash = null')
    const refused = await change(user, NEW_PASSWORD, PASSWORD, restartable.current)
    expect([refused.status, refused.body]).toEqual([400, { detail: 'Current password is wrong' }])
    await post('forgot-password', { email: user.email }, undefined, restartable.current)
    const token = tokenIn(await mailbox.next(user.email, RESET))
    expect((await reset(token, NEW_PASSWORD, restartable.current)).status).toBe(200)
    expect((await signIn(user.email, NEW_PASSWORD, restartable.current)).status).toBe(200)
  })
})

describe('a common password is refused, in any case', () => {
  const common = ['password', 'PassWord123', '12345678', 'qwertyuiop', '11111111', 'iloveyou']
  const signUp = (password: string) =>
    post('signup', { email: uniqueEmail(), password, confirm_password: password })

  test('a common password is refused when signing up, in any case', async () => {
    for (const password of common) {
      const { status, body } = await signUp(password)
      expect([password, status, body]).toEqual([password, 400, { detail: COMMON }])
    }
    expect((await signUp('z8#k!qpw')).status).toBe(201)
  })

  test('a common password is refused when resetting, in any case, and the link stays valid', async () => {
    const { token } = await newUserWithResetLink()
    for (const password of common) {
      const { status, body } = await reset(token, password)
      expect([password, status, body]).toEqual([password, 400, { detail: COMMON }])
    }
    expect((await reset(token)).status).toBe(200)
  })

  test('a common password is refused when changing the password, in any case', async () => {
    const user = await newUser(it.server)
    for (const password of common) {
      const { status, body } = await change(user, password)
      expect([password, status, body]).toEqual([password, 400, { detail: COMMON }])
    }
  })
})

describe('the page of a reset link', () => {
  const submit = (path: string, fields: Record<string, string>, origin?: string | null) =>
    request(it.server, 'POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(origin !== null && { origin: origin ?? it.server.baseUrl }),
      },
    })
  const choose = (token: string, password: string, confirm_password = password) =>
    submit('/reset', { token, password, confirm_password })

  test('the page asks for the new password twice and changes it', async () => {
    const { user, token } = await newUserWithResetLink()
    const page = await request(it.server, 'GET', `/reset?token=${token}`)
    expect(page.status).toBe(200)
    expect(page.text.match(/autocomplete="new-password"/g)).toHaveLength(2)
    const done = await choose(token, NEW_PASSWORD)
    expect(done.status).toBe(200)
    expect(done.text).toContain('Password changed')
    expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(200)
  })

  test('the page shows errors and keeps the form', async () => {
    const { token } = await newUserWithResetLink()
    for (const [password, again, alert] of [
      ['short', 'short', SHORT],
      ['🦉🦉🦉🦉', '🦉🦉🦉🦉', SHORT],
      [NEW_PASSWORD, 'another', 'Passwords do not match'],
      ['password', 'password', COMMON],
    ] as const) {
      const page = await choose(token, password, again)
      expect(page.status).toBe(400)
      expect(page.text).toContain(`role="alert">${alert}<`)
      expect(page.text).toContain(`value="${token}"`)
      expect(page.text).not.toContain(`value="${password}"`)
    }
    expect((await choose(token, NEW_PASSWORD)).status).toBe(200)
  })

  test('a used link shows its error and offers a new one', async () => {
    const { user, token } = await newUserWithResetLink()
    await reset(token)
    const page = await request(it.server, 'GET', `/reset?token=${token}`)
    expect(page.status).toBe(400)
    expect(page.text).toContain('role="alert">This reset link is invalid or has expired<')
    const mailed = await submit('/reset/mail', { email: user.email })
    expect(mailed.status).toBe(200)
    const next = tokenIn(await it.mailbox.next(user.email, RESET))
    expect((await choose(next, PASSWORD)).status).toBe(200)
  })

  test('the request form has one response for all addresses and requires an address', async () => {
    const user = await newUser(it.server)
    const [known, unknown] = [
      await submit('/reset/mail', { email: user.email }),
      await submit('/reset/mail', { email: uniqueEmail() }),
    ]
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
    const empty = await submit('/reset/mail', { email: ' ' })
    expect(empty.status).toBe(400)
    expect(empty.text).toContain('role="alert">Email is required<')
  })

  test('a form from another origin is 403, and the auth limit applies', async () => {
    const { token } = await newUserWithResetLink()
    for (const path of ['/reset', '/reset/mail'])
      for (const origin of [null, 'https://evil.example.com'])
        expect((await submit(path, { token, email: uniqueEmail() }, origin)).status).toBe(403)
    const from = newAddress()
    const guess = () =>
      request(it.server, 'POST', '/reset', {
        from,
        body: 'token=x',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: it.server.baseUrl,
        },
      })
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(400)
    expect((await guess()).status).toBe(429)
  })
})
