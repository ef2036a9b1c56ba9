import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { startRestartable } from '../harness/http.ts'
import { linkIn, startMailbox, tokenIn, useSharedServerWithMail } from '../harness/mail.ts'
import {
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
const CONFIRM = 'Confirm your email address'
const LINK_USED = { detail: 'This link has expired or was already used' }
const UNKNOWN_TOKEN = 'A'.repeat(43)

const post = (path: string, body: unknown, token?: string, server: TestServer = it.server) =>
  request(server, 'POST', `/api/auth/${path}`, {
    ...(body !== undefined && { body }),
    ...(token && { token }),
  })
const verify = (token: unknown, server?: TestServer) =>
  post('verify-email', { token }, undefined, server)
const resend = ({ accessToken }: TestUser) => post('resend-verification', undefined, accessToken)
const change = ({ accessToken }: TestUser, email: unknown) =>
  post('change-verification-email', { email }, accessToken)
const me = async ({ accessToken: token }: TestUser, server: TestServer = it.server) =>
  (await request(server, 'GET', '/api/auth/me', { token })).body
const signIn = (email: string) => post('signin', { email, password: PASSWORD })

/** A new user with the mailed verification token. */
const newUserWithLink = async () => {
  const user = await newUser(it.server)
  return { user, token: tokenIn(await it.mailbox.next(user.email, CONFIRM)) }
}
const newVerifiedUser = async () => {
  const { user, token } = await newUserWithLink()
  expect((await verify(token)).status).toBe(200)
  return user
}

describe('signing up', () => {
  test('signing up mails a link to the verification page', async () => {
    const user = await newUser(it.server)
    const link = linkIn(await it.mailbox.next(user.email, CONFIRM))
    expect(link.href).toStartWith(`${it.server.baseUrl}/verify?token=`)
    expect(link.searchParams.get('token')).toMatch(/^[\w-]{43}$/)
    expect(await me(user)).toMatchObject({ email_verified: false })
  })
})

describe('a verification link', () => {
  test('a verification link verifies the address', async () => {
    const { user, token } = await newUserWithLink()
    const answer = await verify(token)
    expect([answer.status, answer.body]).toEqual([200, { message: 'Email address confirmed' }])
    expect(await me(user)).toMatchObject({ email: user.email, email_verified: true })
  })

  test('a link works once', async () => {
    const { token } = await newUserWithLink()
    expect((await verify(token)).status).toBe(200)
    const again = await verify(token)
    expect([again.status, again.body]).toEqual([410, LINK_USED])
  })

  test('a link used fifty times in parallel works once', async () => {
    const { user, token } = await newUserWithLink()
    const answers = await Promise.all(Array.from({ length: 50 }, () => verify(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(49)
    expect(await me(user)).toMatchObject({ email_verified: true })
  })

  test('one of several links used in parallel works and ends the others', async () => {
    const { user, token } = await newUserWithLink()
    const tokens = [token]
    for (let i = 0; i < 4; i++) {
      await resend(user)
      tokens.push(tokenIn(await it.mailbox.next(user.email, CONFIRM)))
    }
    const answers = await Promise.all(tokens.map((each) => verify(each)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410])
    for (const each of tokens) expect((await verify(each)).status).toBe(410)
  })

  test('a link expires after 24 hours', async () => {
    await using mailbox = await startMailbox()
    await using restartable = await startRestartable({ SVC_SMTP_URL: mailbox.url })
    const [early, late] = [await newUser(restartable.current), await newUser(restartable.current)]
    const [good, expired] = [
      tokenIn(await mailbox.next(early.email)),
      tokenIn(await mailbox.next(late.email)),
    ]
    const age = (user: TestUser, hours: number) =>
      `update mailed_links set expires_at = expires_at - interval '${hours} hours' where user_id = '${user.id}'`
    await restartable.change(age(early, 23.9), age(late, 24))
    expect((await verify(good, restartable.current)).status).toBe(200)
    const refused = await verify(expired, restartable.current)
    expect([refused.status, refused.body]).toEqual([410, LINK_USED])
    expect(await me(late, restartable.current)).toMatchObject({ email_verified: false })
  })

  test('an unknown token is 410, a malformed one 400', async () => {
    const unknown = await verify(UNKNOWN_TOKEN)
    expect([unknown.status, unknown.body]).toEqual([410, LINK_USED])
    for (const token of [
      'x',
      'A'.repeat(42),
      'A'.repeat(44),
      `${'A'.repeat(42)}!`,
      'é'.repeat(43),
    ]) {
      const { status, body } = await verify(token)
      expect([status, body]).toEqual([400, { detail: 'Invalid verification token' }])
    }
    for (const body of [{}, { token: '' }, { token: null }, { token: 7 }]) {
      const answer = await post('verify-email', body)
      expect([answer.status, answer.body]).toEqual([400, { detail: 'Token is required' }])
    }
  })

  test('a verification link does not reset the password', async () => {
    const { token } = await newUserWithLink()
    expect((await post('reset-password', { token, password: PASSWORD })).status).toBe(400)
    expect((await verify(token)).status).toBe(200)
  })

  test('the token is not logged', async () => {
    const { token } = await newUserWithLink()
    await verify(token)
    await request(it.server, 'GET', `/verify?token=${token}`)
    expect(it.server.log.join('')).not.toContain(token)
  })
})

describe('resending the verification link', () => {
  test('resending mails a new link, which works', async () => {
    const { user } = await newUserWithLink()
    const answer = await resend(user)
    expect([answer.status, answer.body]).toEqual([200, { message: 'Verification email sent' }])
    const token = tokenIn(await it.mailbox.next(user.email, CONFIRM))
    expect((await verify(token)).status).toBe(200)
  })

  test('resending for a verified account is refused', async () => {
    const answer = await resend(await newVerifiedUser())
    expect([answer.status, answer.body]).toEqual([
      400,
      { detail: 'The email address is already verified' },
    ])
  })

  test('the endpoint requires an access token and refuses an API key', async () => {
    const { key } = await newUser(it.server)
    expect((await post('resend-verification', undefined)).status).toBe(401)
    expect((await post('resend-verification', undefined, key)).status).toBe(403)
    expect((await post('change-verification-email', { email: uniqueEmail() })).status).toBe(401)
    expect((await post('change-verification-email', { email: uniqueEmail() }, key)).status).toBe(
      403,
    )
  })

  test('the sixth auth request of a client address in a minute is 429', async () => {
    const { accessToken: token } = await newUser(it.server)
    const from = newAddress()
    const send = () => request(it.server, 'POST', '/api/auth/resend-verification', { token, from })
    for (let i = 0; i < 5; i++) expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(429)
  })

  test('an account receives at most 20 links an hour', async () => {
    const user = await newUser(it.server)
    const answers = await Promise.all(Array.from({ length: 50 }, () => resend(user)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    expect((await change(user, uniqueEmail())).status).toBe(429)
  })
})

describe('changing an unverified address', () => {
  test('the new address takes effect when its link is used', async () => {
    const { user, token: old } = await newUserWithLink()
    const email = uniqueEmail()
    const answer = await change(user, `  ${email.toUpperCase()} `)
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Verification email sent to the new address' },
    ])
    const token = tokenIn(await it.mailbox.next(email, CONFIRM))
    expect(await me(user)).toMatchObject({ email: user.email, email_verified: false })
    expect((await signIn(email)).status).toBe(401)

    expect((await verify(token)).status).toBe(200)
    expect(await me(user)).toMatchObject({ email, email_verified: true })
    expect((await signIn(email)).status).toBe(200)
    expect((await signIn(user.email)).status).toBe(401)
    expect((await verify(old)).status).toBe(410)
  })

  test('verifying the first address revokes the link to the second', async () => {
    const { user, token } = await newUserWithLink()
    const email = uniqueEmail()
    await change(user, email)
    const other = tokenIn(await it.mailbox.next(email, CONFIRM))
    expect((await verify(token)).status).toBe(200)
    expect((await verify(other)).status).toBe(410)
    expect(await me(user)).toMatchObject({ email: user.email })
  })

  test('a password reset by the first address revokes the link to the second', async () => {
    const { user } = await newUserWithLink()
    const email = uniqueEmail()
    await change(user, email)
    const other = tokenIn(await it.mailbox.next(email, CONFIRM))
    await post('forgot-password', { email: user.email })
    const reset = tokenIn(await it.mailbox.next(user.email, 'Reset'))
    expect((await post('reset-password', { token: reset, password: PASSWORD })).status).toBe(200)
    expect((await verify(other)).status).toBe(410)
    expect((await signIn(user.email)).body.user).toMatchObject({ email_verified: true })
  })

  test('changing a verified address is refused', async () => {
    const answer = await change(await newVerifiedUser(), uniqueEmail())
    expect([answer.status, answer.body]).toEqual([
      400,
      { detail: 'The email address is already verified' },
    ])
  })

  test('an invalid address is refused', async () => {
    const { user } = await newUserWithLink()
    for (const [email, detail] of [
      ['no address', 'Invalid email address'],
      ['ada@@example.com', 'Invalid email address'],
      ['ada@example.com, bob@example.com', 'Invalid email address'],
      ['ada@example.com\r\nBcc: bob@example.com', 'Invalid email address'],
      ['"x@evil.example x"@example.org', 'Invalid email address'],
      ['ａda@example.com', 'Invalid email address'],
      ['ada@mailinator.com', 'Disposable email addresses are not allowed'],
      ['ada@x.mailinator.com', 'Disposable email addresses are not allowed'],
    ]) {
      const { status, body } = await change(user, email)
      expect([email, status, body]).toEqual([email, 400, { detail }])
    }
    for (const email of ['a@b', `${'a'.repeat(250)}@b.com`, null, 7])
      expect((await change(user, email)).status).toBe(422)
  })

  test('an address of another account is refused in any case; the own address is mailed again', async () => {
    const { user } = await newUserWithLink()
    const other = await newUser(it.server)
    const response = await change(user, other.email.toUpperCase())
    expect([response.status, response.body]).toEqual([409, { detail: 'Email already registered' }])
    expect((await change(user, user.email)).status).toBe(200)
    expect((await verify(tokenIn(await it.mailbox.next(user.email, CONFIRM)))).status).toBe(200)
  })

  test('a link is 409 when another account has taken its address', async () => {
    const { user } = await newUserWithLink()
    const email = uniqueEmail()
    await change(user, email)
    const token = tokenIn(await it.mailbox.next(email, CONFIRM))
    const signedUp = await post('signup', { email, password: PASSWORD, confirm_password: PASSWORD })
    expect(signedUp.status).toBe(201)
    const answer = await verify(token)
    expect([answer.status, answer.body]).toEqual([409, { detail: 'Email already registered' }])
    expect(await me(user)).toMatchObject({ email: user.email, email_verified: false })
  })

  test('two accounts that verify one address in parallel: one gets it', async () => {
    const email = uniqueEmail()
    const pair = [await newUserWithLink(), await newUserWithLink()]
    const tokens: string[] = []
    for (const { user } of pair) {
      await change(user, email)
      tokens.push(tokenIn(await it.mailbox.next(email, CONFIRM)))
    }
    const answers = await Promise.all(tokens.map((token) => verify(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

describe('the page of a verification link', () => {
  const submit = (token: string, origin: string | null = it.server.baseUrl) =>
    request(it.server, 'POST', '/verify', {
      body: new URLSearchParams({ token }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(origin !== null && { origin }),
      },
    })

  test('opening the page verifies nothing, because mail scanners open links', async () => {
    const { user, token } = await newUserWithLink()
    for (let i = 0; i < 3; i++) {
      const page = await request(it.server, 'GET', `/verify?token=${token}`)
      expect(page.status).toBe(200)
      expect(page.text).toContain('<button')
      expect(page.text).toContain(`value="${token}"`)
    }
    expect(await me(user)).toMatchObject({ email_verified: false })
  })

  test('the button verifies the address', async () => {
    const { user, token } = await newUserWithLink()
    const page = await submit(token)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Address confirmed')
    expect(await me(user)).toMatchObject({ email_verified: true })
  })

  test('an invalid link shows its error', async () => {
    const invalid = await submit(UNKNOWN_TOKEN)
    expect(invalid.status).toBe(410)
    expect(invalid.text).toMatch(/role="alert">This link has expired or was already used</)
    const malformed = await submit('')
    expect(malformed.status).toBe(400)
    expect(malformed.text).toContain('role="alert"')
  })

  test('the token is escaped, and a form from another origin is 403', async () => {
    const token = '"><script>alert(1)</script>'
    const page = await request(it.server, 'GET', `/verify?token=${encodeURIComponent(token)}`)
    expect(page.text).not.toContain('<script>')
    const { user, token: good } = await newUserWithLink()
    for (const origin of [null, 'https://evil.example.com'])
      expect((await submit(good, origin)).status).toBe(403)
    expect(await me(user)).toMatchObject({ email_verified: false })
  })
})
