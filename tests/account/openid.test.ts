import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import postgres from 'postgres'
import { type Mailbox, newMailedUser, startMailbox } from '../harness/mail.ts'
import { type Person, person } from '../harness/oauth-provider.ts'
import {
  type CookieJar,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../harness/openid-provider.ts'
import { cookieValue, newUser, request, startServer, type TestServer } from '../harness/server.ts'
import { APP, failed, redirectOf, signedIn } from './oauth-sign-in-support.ts'
import { begin, follow, isSignedIn } from './openid-support.ts'

setDefaultTimeout(120_000)

let started: { provider: OpenIdProvider; server: TestServer; mailbox: Mailbox } | undefined
beforeAll(async () => {
  const provider = await startOpenIdProvider()
  const mailbox = await startMailbox()
  const server = await startServer({
    ...provider.env('WORK_1', 'Example Works'),
    SVC_FRONTEND_ORIGINS: APP,
    SVC_SMTP_URL: mailbox.url,
  })
  await provider.serve(server.baseUrl, 'work_1')
  started = { provider, server, mailbox }
}, 120_000)
afterAll(async () => {
  await started?.server.stop()
  await started?.mailbox[Symbol.asyncDispose]()
  await started?.provider[Symbol.asyncDispose]()
})
const running = () => {
  if (!started) throw new Error('the server starts before the tests')
  return started
}

const signIn = async (who: Person, jar: CookieJar = new Map()) => {
  const { server, provider } = running()
  const { authorizeUrl, cookie } = await begin(server, 'work_1')
  return follow(server, await provider.agree(authorizeUrl, who, jar), cookie)
}

const me = async (token: unknown) =>
  (await request(running().server, 'GET', '/api/auth/me', { token: String(token) })).body

describe('signing in through a configured OpenID provider', () => {
  test('the provider is listed by its name and label', async () => {
    const { body } = await request(running().server, 'GET', '/api/auth/oauth/providers')
    expect(body).toEqual({ providers: [{ name: 'work_1', label: 'Example Works' }] })
  })

  test('the authorization request has PKCE, a nonce, a state and the scopes', async () => {
    const { authorizeUrl } = await begin(running().server, 'work_1')
    expect(Object.fromEntries(new URL(authorizeUrl).searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email',
      code_challenge_method: 'S256',
      nonce: expect.any(String),
      state: expect.any(String),
    })
  })

  test('the first sign-in creates the account, and the next one opens it', async () => {
    const who = person()
    const first = await signIn(who)
    expect(first.landing).toEqual(signedIn(true))
    expect(await me(first.landing.token)).toMatchObject({ email: who.email, email_verified: true })
    const second = await signIn({ ...who, email: 'changed@example.com' })
    expect(second.landing).toEqual(signedIn(false))
    expect(await me(second.landing.token)).toMatchObject({ email: who.email })
  })

  test('an address that the provider has not verified is not verified here either', async () => {
    const who = person({ verified: false })
    const { landing } = await signIn(who)
    expect(await me(landing.token)).toMatchObject({ email: who.email, email_verified: false })
  })

  test('a provider that shares no address opens no new account', async () => {
    expect((await signIn(person({ email: undefined }))).landing).toEqual(failed('email_required'))
  })

  test('the provider signs with another key from now on, and sign-ins continue', async () => {
    const who = person()
    expect((await signIn(who)).landing).toEqual(signedIn(true))
    await running().provider.rotateKeys()
    expect((await signIn(who)).landing).toEqual(signedIn(false))
  })

  test('a callback signs in once, also when it is sent many times at once', async () => {
    const { server, provider } = running()
    const { authorizeUrl, cookie } = await begin(server, 'work_1')
    const callback = await provider.agree(authorizeUrl, person())
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => follow(server, callback, cookie)),
    )
    const landings = answers.map(({ landing }) => landing.error ?? 'signed in')
    expect(landings.filter((text) => text === 'signed in')).toHaveLength(1)
    expect(landings.filter((text) => text === 'invalid_state')).toHaveLength(9)
    expect((await follow(server, callback, cookie)).landing).toEqual(failed('invalid_state'))
  })

  test('parallel first sign-ins of one person make one account', async () => {
    const who = person()
    const landings = (await Promise.all([signIn(who), signIn(who), signIn(who)])).map(
      ({ landing }) => landing,
    )
    expect(landings.map(({ new: isNew }) => isNew).toSorted()).toEqual(['0', '0', '1'])
    const ids = await Promise.all(landings.map(async ({ token }) => (await me(token)).id))
    expect(new Set(ids).size).toBe(1)
  })
})

describe('accounts that have the address already', () => {
  test('an account is not opened by a verified address, until its owner connects the provider', async () => {
    const { server, provider, mailbox } = running()
    const user = await newMailedUser(server, mailbox)
    const who = person({ email: user.email })
    const refused = await signIn(who)
    expect(refused.landing).toEqual(failed('not_connected'))
    expect(refused.answer.cookie).toBeUndefined()
    const page = await request(server, 'GET', '/auth/callback?error=not_connected')
    expect(page.text).toContain('then connect the provider in the settings')
    expect(page.text).toContain('href="/signin?next=%2Fapp%2Fsettings%2Fconnections"')

    const begun = await request(server, 'POST', '/api/auth/oauth/work_1/connect', {
      token: user.accessToken,
    })
    const back = await provider.agree(begun.body.authorize_url, who)
    const browser = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { answer } = await follow(server, back, `${browser}; refresh_token=${user.refreshToken}`)
    expect(redirectOf(answer)).toEqual({
      status: 302,
      at: `${server.baseUrl}/app/settings/connections`,
      connected: 'work_1',
    })
    const { landing } = await signIn(who)
    expect(landing).toEqual(signedIn(false))
    expect((await me(landing.token)).id).toBe(user.id)
    const list = await request(server, 'GET', '/api/auth/oauth/connections', {
      token: user.accessToken,
    })
    expect(list.body).toMatchObject([{ provider: 'work_1', email: user.email }])
  })

  test('an account is not opened by an unverified address', async () => {
    const user = await newUser(running().server)
    const { landing } = await signIn(person({ email: user.email, verified: false }))
    expect(landing).toEqual(failed('not_connected'))
  })
})

describe('signing out', () => {
  test('a sign-out at the provider ends the session that came from it, and no other', async () => {
    const { provider, server } = running()
    const who = person()
    const [jar, otherJar]: CookieJar[] = [new Map(), new Map()]
    const { landing } = await signIn(who, jar)
    const other = await signIn(who, otherJar)
    await provider.signOut(jar ?? new Map())
    expect(await isSignedIn(server, landing.token)).toBe(false)
    expect(await isSignedIn(server, other.landing.token)).toBe(true)
  })

  test('a sign-out here leads on to the provider, with the ID token as a hint', async () => {
    const { server, provider } = running()
    const { answer } = await signIn(person())
    const signOut = () =>
      request(server, 'POST', '/api/auth/signout', { cookie: cookieValue(answer.cookie) })
    const { status, body } = await signOut()
    expect([status, body.message]).toEqual([200, 'Signed out'])
    const url = new URL(body.logout_url)
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      id_token_hint: expect.stringMatching(/^eyJ/),
      client_id: expect.any(String),
      post_logout_redirect_uri: `${server.baseUrl}/signin`,
    })
    const page = await fetch(url)
    // The cookie of a session that has ended leads to no ID token.
    expect((await signOut()).body).toEqual({ message: 'Signed out' })
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('/session/end/confirm'),
    ])
  })

  test('a sign-out of a session with a password leads nowhere else', async () => {
    const { server } = running()
    const { refreshToken } = await newUser(server)
    const { body } = await request(server, 'POST', '/api/auth/signout', { cookie: refreshToken })
    expect(body).toEqual({ message: 'Signed out' })
  })

  test('a sign-in that waits for its code, and its session, end with that of the provider', async () => {
    const { server, provider } = running()
    const who = person()
    const { landing } = await signIn(who)
    const token = landing.token ?? ''
    const setup = await request(server, 'POST', '/api/auth/mfa/setup', { token })
    const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate()
    const enabled = await request(server, 'POST', '/api/auth/mfa/enable', { token, body: { code } })
    const [first, second]: string[] = enabled.body.recovery_codes
    const verify = (partial_token: unknown, recoveryCode: string | undefined) =>
      request(server, 'POST', '/api/auth/mfa/verify', {
        body: { partial_token, code: recoveryCode },
      })

    const jar: CookieJar = new Map()
    const pending = await signIn(who, jar)
    const verified = await verify(pending.landing.partial_token, first)
    expect(await isSignedIn(server, verified.body.access_token)).toBe(true)
    await provider.signOut(jar)
    expect(await isSignedIn(server, verified.body.access_token)).toBe(false)

    const waiting: CookieJar = new Map()
    const unfinished = await signIn(who, waiting)
    await provider.signOut(waiting)
    expect((await verify(unfinished.landing.partial_token, second)).status).toBe(401)
  })

  test('a session that was handed off ends with that of the provider', async () => {
    const { server, provider } = running()
    const jar: CookieJar = new Map()
    const { answer } = await signIn(person(), jar)
    const minted = await request(server, 'POST', '/api/auth/handoff/mint', {
      cookie: cookieValue(answer.cookie),
      body: { target_origin: APP },
    })
    const exchanged = await request(server, 'POST', '/api/auth/handoff/exchange', {
      headers: { origin: APP },
      body: { token: minted.body.token },
    })
    expect(await isSignedIn(server, exchanged.body.access_token)).toBe(true)
    await provider.signOut(jar)
    expect(await isSignedIn(server, exchanged.body.access_token)).toBe(false)
  })

  test('the ID token is encrypted in the database', async () => {
    const { answer } = await signIn(person())
    expect(answer.cookie).toBeDefined()
    const sql = postgres(running().server.database.env.SVC_DATABASE_URL)
    const rows = await sql`select id_token from provider_sessions where id_token is not null`
    await sql.end()
    expect(rows.length).toBeGreaterThan(0)
    // An ID token begins so, in base64url of the first characters of its header.
    for (const { id_token } of rows) expect(id_token.startsWith('eyJ')).toBe(false)
  })
})
