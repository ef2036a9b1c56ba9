import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hkdfSync } from 'node:crypto'
import { EncryptJWT, jwtDecrypt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import type { OAuthProvider } from '../../shared/schemas/oauth.ts'
import { type Mailbox, startMailbox, tokenIn } from '../harness/mail.ts'
import {
  type Person,
  person,
  startGithub,
  startGoogle,
  startTwitter,
  type TestProvider,
} from '../harness/oauth-provider.ts'
import {
  type Answer,
  cookieValue,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
} from '../harness/server.ts'

const APP = 'https://app.example.com'
const OTHER_APP = 'https://other.example.net'
const SECRET = 'a-secret-of-at-least-32-characters!'
const NAMES = ['google', 'github', 'twitter'] as const

setDefaultTimeout(60_000)

let providers: Record<OAuthProvider, TestProvider>
let mailbox: Mailbox
let server: TestServer

beforeAll(async () => {
  providers = { google: await startGoogle(), github: startGithub(), twitter: startTwitter() }
  mailbox = await startMailbox()
  server = await startServer({
    SVC_AUTH_SECRET: SECRET,
    SVC_FRONTEND_ORIGINS: `${APP},${OTHER_APP}`,
    SVC_SMTP_URL: mailbox.url,
    ...Object.assign({}, ...Object.values(providers).map(({ env }) => env)),
  })
})
afterAll(async () => {
  await server.stop()
  await mailbox[Symbol.asyncDispose]()
  for (const provider of Object.values(providers)) await provider[Symbol.asyncDispose]()
})

interface SettingOut {
  authorizeUrl: string
  /** The browser's cookies, as it sends them back. */
  cookie: string
}

const browserCookieOf = ({ headers }: Answer) =>
  headers.getSetCookie().find((line) => !line.startsWith('refresh_token=')) ?? ''

const authorize = (name: string, query: Record<string, string> = {}, options = {}) =>
  request(server, 'GET', `/api/auth/oauth/${name}/authorize?${new URLSearchParams(query)}`, options)

const setOut = async (name: OAuthProvider, origin = APP): Promise<SettingOut> => {
  const answer = await authorize(name, origin ? { frontend_origin: origin } : {})
  const cookie = browserCookieOf(answer).split(';')[0] ?? ''
  return { authorizeUrl: answer.body.authorize_url, cookie }
}

const comeBack = (callback: URL, cookie: string) =>
  request(server, 'GET', `${callback.pathname}${callback.search}`, { headers: { cookie } })

/** Where the browser lands, with what it is told there. */
const landingOf = (answer: Answer) => {
  const url = new URL(answer.headers.get('location') ?? '')
  return {
    status: answer.status,
    at: `${url.origin}${url.pathname}`,
    ...Object.fromEntries(url.searchParams),
  } as Record<string, unknown> & { token?: string }
}

/** Goes all the way through a provider. */
const signInWith = async (name: OAuthProvider, who: Person, origin = APP) => {
  const { authorizeUrl, cookie } = await setOut(name, origin)
  const answer = await comeBack(await providers[name].agree(authorizeUrl, who), cookie)
  return { answer, landing: landingOf(answer) }
}
const tokenOf = async (name: OAuthProvider, who: Person) =>
  (await signInWith(name, who)).landing.token ?? ''

const me = async (token: string) => (await request(server, 'GET', '/api/auth/me', { token })).body
const connections = (token: string) =>
  request(server, 'GET', '/api/auth/oauth/connections', { token })
const disconnect = (token: string, name: string) =>
  request(server, 'DELETE', `/api/auth/oauth/${name}`, { token })

const signedIn = (isNew: boolean) => ({
  status: 302,
  at: `${APP}/auth/callback`,
  token: expect.any(String),
  new: isNew ? '1' : '0',
})
const failed = (error: string) => ({ status: 302, at: `${APP}/auth/callback`, error })

/** An account with a password whose address is verified. */
const newVerifiedUser = async () => {
  const user = await newUser(server)
  const token = tokenIn(await mailbox.next(user.email))
  await request(server, 'POST', '/api/auth/verify-email', { body: { token } })
  return user
}

describe('setting out for a provider', () => {
  for (const name of NAMES)
    test(`leads to ${name} with a state, a PKCE challenge and where to return to`, async () => {
      const answer = await authorize(name, { frontend_origin: APP })
      const redirect_uri = `${server.baseUrl}/api/auth/oauth/${name}/callback`
      expect([answer.status, answer.body]).toEqual([
        200,
        { authorize_url: expect.any(String), redirect_uri },
      ])
      const query = Object.fromEntries(new URL(answer.body.authorize_url).searchParams)
      expect(query).toMatchObject({
        response_type: 'code',
        redirect_uri,
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      })
      expect('nonce' in query).toBe(name === 'google')
      expect((query.state ?? '').length).toBeGreaterThan(100)
      expect((query.state ?? '').length).toBeLessThanOrEqual(500)
    })

  test('ties the return to the browser, by a cookie that scripts and other sites do not get', async () => {
    const cookie = browserCookieOf(await authorize('github'))
    for (const attribute of [
      'HttpOnly',
      'Secure',
      'SameSite=Lax',
      'Path=/api/auth/oauth',
      'Max-Age=600',
    ])
      expect(cookie).toContain(attribute)
    expect(cookie).not.toContain('Domain')
  })

  test('tells the client nothing of the PKCE verifier', async () => {
    const { authorizeUrl, cookie } = await setOut('twitter')
    const state = new URL(authorizeUrl).searchParams.get('state') ?? ''
    const { payload } = await jwtDecrypt(state, STATE_KEY)
    const verifier = String(payload.v)
    expect(verifier).toMatch(/^[\w-]{43}$/)
    const seen = [authorizeUrl, cookie, ...state.split('.')]
    for (const text of [...seen, ...seen.map((each) => Buffer.from(each, 'base64url').toString())])
      expect(text).not.toContain(verifier)
  })

  test('uses a new state and challenge each time', async () => {
    const urls = [await setOut('github'), await setOut('github')].map(
      ({ authorizeUrl }) => new URL(authorizeUrl).searchParams,
    )
    for (const name of ['state', 'code_challenge'])
      expect(urls[0]?.get(name)).not.toBe(urls[1]?.get(name) ?? '')
  })

  test('is refused for a provider that is unknown or not configured', async () => {
    const refused = [400, { detail: 'Unknown provider, or not configured' }]
    for (const name of ['facebook', 'GOOGLE', '__proto__', 'constructor', '%20google']) {
      const { status, body } = await authorize(name)
      expect([name, status, body]).toEqual([name, ...refused])
    }
    await using bare = await startServer()
    for (const name of NAMES)
      for (const step of ['authorize', 'callback?code=x&state=y']) {
        const { status, body } = await request(bare, 'GET', `/api/auth/oauth/${name}/${step}`)
        expect([status, body]).toEqual(refused)
      }
  })

  for (const origin of [
    'https://evil.example',
    'https://app.example.com.evil.example',
    'https://evil-app.example.com',
    'https://app.example.com@evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://APP.example.com',
    'https://app.example.com.',
    'https://app.example.com,https://evil.example',
    '//app.example.com',
    'javascript:alert(1)',
    'null',
    '*',
    '',
  ])
    test(`to return to ‘${origin}’ is refused, for it is not on the list`, async () => {
      for (const step of ['authorize', 'start']) {
        const path = `/api/auth/oauth/github/${step}?${new URLSearchParams({ frontend_origin: origin })}`
        const answer = await request(server, 'GET', path)
        expect(answer.status).toBe(400)
        expect(answer.text).toContain('Origin not allowed')
        expect(answer.headers.get('location')).toBeNull()
      }
    })

  test('from a page of another site goes by our own address, where the browser takes the cookie', async () => {
    const answer = await authorize(
      'github',
      { frontend_origin: APP },
      { headers: { origin: APP, 'sec-fetch-site': 'cross-site' } },
    )
    const start = new URL(answer.body.authorize_url)
    expect(start.origin).toBe(new URL(server.baseUrl).origin)
    const hop = await request(server, 'GET', `${start.pathname}${start.search}`)
    expect(hop.status).toBe(303)
    const callback = await providers.github.agree(hop.headers.get('location') ?? '', person())
    const cookie = browserCookieOf(hop).split(';')[0] ?? ''
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('is 503 while an issuer cannot be reached, and works once it can', async () => {
    await using google = await startGoogle()
    let reachable = false
    await using front = startFront(google, () => reachable)
    await using other = await startServer({ ...google.env, SVC_OAUTH_GOOGLE_ISSUER: front.url })
    const path = '/api/auth/oauth/google/authorize'
    const down = await request(other, 'GET', path)
    expect([down.status, down.body]).toEqual([503, { detail: 'The provider cannot be reached' }])
    reachable = true
    expect((await request(other, 'GET', path)).status).toBe(200)
  })
})

/** An address in front of an issuer, which answers only while it may. */
const startFront = (google: TestProvider, mayAnswer: () => boolean) => {
  const front = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }): Promise<Response> {
      if (!mayAnswer()) return new Response('not now', { status: 502 })
      const answer = await fetch(new URL(new URL(url).pathname, google.env.SVC_OAUTH_GOOGLE_ISSUER))
      const found = (await answer.json()) as Record<string, unknown>
      return Response.json({ ...found, issuer: new URL(url).origin })
    },
  })
  return {
    url: `http://127.0.0.1:${front.port}`,
    [Symbol.asyncDispose]: () => front.stop(true),
  }
}

describe('coming back', () => {
  for (const name of NAMES) {
    test(`from ${name} makes an account the first time, and opens it the next`, async () => {
      const who = person()
      const first = await signInWith(name, who)
      expect(first.landing).toEqual(signedIn(true))
      const account = await me(first.landing.token ?? '')
      expect(account).toMatchObject({ email: who.email, email_verified: true })
      expect(account.display_name).toStartWith('person-')

      const again = await signInWith(name, who)
      expect(again.landing).toEqual(signedIn(false))
      expect((await me(again.landing.token ?? '')).id).toBe(account.id)
    })

    test(`from ${name} under another address still opens the same account`, async () => {
      const who = person()
      const { id } = await me(await tokenOf(name, who))
      const moved = await signInWith(name, person({ subject: who.subject }))
      expect(moved.landing).toEqual(signedIn(false))
      expect(await me(moved.landing.token ?? '')).toMatchObject({ id, email: who.email })
    })

    test(`from ${name} with a verified address opens the verified account of that address`, async () => {
      const user = await newVerifiedUser()
      const who = person({ email: user.email.toUpperCase() })
      const { landing } = await signInWith(name, who)
      expect(landing).toEqual(signedIn(false))
      expect((await me(landing.token ?? '')).id).toBe(user.id)
      expect((await connections(user.accessToken)).body).toEqual([
        { provider: name, email: user.email, connected_at: expect.any(String) },
      ])
    })

    test(`from ${name} does not open an account whose address was never verified`, async () => {
      const user = await newUser(server)
      const { landing, answer } = await signInWith(name, person({ email: user.email }))
      expect(landing).toEqual(failed('account_exists'))
      expect(answer.cookie).toBeUndefined()
      expect((await connections(user.accessToken)).body).toEqual([])
    })

    test(`from ${name} when the code is no good signs nobody in`, async () => {
      const who = person({ mishap: 'no code is good' })
      const { landing, answer } = await signInWith(name, who)
      expect(landing).toEqual(failed('provider_error'))
      expect(answer.cookie).toBeUndefined()
      const { mishap: _, ...mended } = who
      expect((await signInWith(name, mended)).landing).toEqual(signedIn(true))
    })
  }

  for (const name of ['google', 'github'] as const) {
    test(`from ${name} with an unverified address never opens an account, verified or not`, async () => {
      for (const user of [await newVerifiedUser(), await newUser(server)]) {
        const who = person({ email: user.email, verified: false })
        expect((await signInWith(name, who)).landing).toEqual(failed('account_exists'))
        expect((await connections(user.accessToken)).body).toEqual([])
      }
    })

    test(`from ${name} with an unverified address makes an account that has yet to verify it`, async () => {
      const who = person({ verified: false })
      const { landing } = await signInWith(name, who)
      expect(landing).toEqual(signedIn(true))
      expect(await me(landing.token ?? '')).toMatchObject({
        email: who.email,
        email_verified: false,
      })
      const token = tokenIn(await mailbox.next(who.email ?? ''))
      await request(server, 'POST', '/api/auth/verify-email', { body: { token } })
      expect((await me(landing.token ?? '')).email_verified).toBe(true)
    })
  }

  test('without an address makes no account, and says that one is needed', async () => {
    for (const name of NAMES)
      expect((await signInWith(name, person({ email: undefined }))).landing).toEqual(
        failed('email_required'),
      )
    expect((await signInWith('twitter', person({ verified: false }))).landing).toEqual(
      failed('email_required'),
    )
  })

  test('without an address still opens an account that is connected', async () => {
    const who = person()
    await signInWith('twitter', who)
    const { landing } = await signInWith('twitter', { ...who, email: undefined })
    expect(landing).toEqual(signedIn(false))
  })

  test('with a disposable or malformed address makes no account', async () => {
    for (const email of ['somebody@mailinator.com', 'somebody'])
      expect((await signInWith('google', person({ email }))).landing).toEqual(
        failed('email_not_allowed'),
      )
  })

  test('reads the address from the user endpoint where the ID token has none', async () => {
    const who = person({ emailIn: 'userinfo' })
    const { landing } = await signInWith('google', who)
    expect(await me(landing.token ?? '')).toMatchObject({ email: who.email, email_verified: true })
  })

  test('sets the refresh cookie of a session that can be refreshed', async () => {
    const { answer } = await signInWith('github', person())
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/api/auth'])
      expect(answer.cookie).toContain(attribute)
    const refreshed = await request(server, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(answer.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('makes an account without a password: signing in with one says so', async () => {
    const who = person()
    await signInWith('github', who)
    const { status, body } = await request(server, 'POST', '/api/auth/signin', {
      body: { email: who.email, password: PASSWORD },
    })
    expect([status, body]).toEqual([
      400,
      { detail: 'This account signs in through a provider and has no password' },
    ])
  })

  test('from two providers with the same verified address is the same account', async () => {
    const { email } = person()
    const ids = new Set<string>()
    for (const name of NAMES) ids.add((await me(await tokenOf(name, person({ email })))).id)
    expect(ids.size).toBe(1)
    const list = await connections(await tokenOf('github', person({ email })))
    expect(list.body.map(({ provider }: { provider: string }) => provider)).toEqual([
      ...NAMES,
      'github',
    ])
  })

  test('fifty times at once for the first time makes one account', async () => {
    const who = person()
    const ways = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { authorizeUrl, cookie } = await setOut('github')
        return { callback: await providers.github.agree(authorizeUrl, who), cookie }
      }),
    )
    const landings = (
      await Promise.all(ways.map(({ callback, cookie }) => comeBack(callback, cookie)))
    ).map(landingOf)
    expect(landings.filter((landing) => landing.new === '1')).toHaveLength(1)
    expect(landings.filter((landing) => landing.new === '0')).toHaveLength(49)
    const users = await Promise.all(landings.map(({ token }) => me(token ?? '')))
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
  })

  test('after the account was deleted makes a new one', async () => {
    const who = person()
    const token = await tokenOf('github', who)
    const { id } = await me(token)
    const deleted = await request(server, 'DELETE', '/api/auth/delete-account', {
      token,
      body: { confirm: who.email },
    })
    expect(deleted.status).toBe(200)
    const { landing } = await signInWith('github', who)
    expect(landing).toEqual(signedIn(true))
    expect((await me(landing.token ?? '')).id).not.toBe(id)
  })

  test('goes to the app that set out, and to no other', async () => {
    const { landing } = await signInWith('github', person(), OTHER_APP)
    expect(landing.at).toBe(`${OTHER_APP}/auth/callback`)
  })

  test('without an app lands on a page of ours that says so', async () => {
    const { landing, answer } = await signInWith('github', person(), '')
    expect(landing).toMatchObject({ at: `${server.baseUrl}/auth/callback`, new: '1' })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(server, 'GET', `${pathname}${search}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Signed in')
    expect(page.text).not.toContain(landing.token ?? '')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const failure = await request(server, 'GET', '/auth/callback?error=access_denied')
    expect(failure.text).toContain('You did not allow the sign-in.')
    const strange = await request(server, 'GET', '/auth/callback?error=<script>')
    expect(strange.text).toContain('Not signed in')
    expect(strange.text).not.toContain('<script>')
  })

  test('leaves neither code, state nor token in the log', async () => {
    const { authorizeUrl, cookie } = await setOut('github')
    const callback = await providers.github.agree(authorizeUrl, person())
    const { token = '' } = landingOf(await comeBack(callback, cookie))
    await comeBack(callback, cookie)
    await request(server, 'GET', `/auth/callback?token=${token}&new=1`)
    const log = server.log.join('\n')
    for (const secret of [token, ...['code', 'state'].map((k) => callback.searchParams.get(k))]) {
      expect(secret).toBeTruthy()
      expect(log).not.toContain(secret)
    }
  })
})

const STATE_KEY = new Uint8Array(hkdfSync('sha256', SECRET, '', 'svc:oauth-state', 32))

/** The same state, sealed again with our secret, save for what is changed. */
const resealed = async (state: string, claims: Record<string, unknown>, key = STATE_KEY) => {
  const { payload } = await jwtDecrypt(state, STATE_KEY)
  return new EncryptJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key)
}

/** Somebody who agreed and is on their way back. */
const onTheWay = async (name: OAuthProvider = 'github', who = person()) => {
  const { authorizeUrl, cookie } = await setOut(name)
  return { callback: await providers[name].agree(authorizeUrl, who), cookie }
}
const withState = async (callback: URL, change: (state: string) => string | Promise<string>) => {
  const changed = new URL(callback)
  changed.searchParams.set('state', await change(callback.searchParams.get('state') ?? ''))
  return changed
}

describe('a state', () => {
  test('that comes back fifty times at once signs in once', async () => {
    const { callback, cookie } = await onTheWay()
    const answers = await Promise.all(Array.from({ length: 50 }, () => comeBack(callback, cookie)))
    const landings = answers.map(landingOf)
    expect(landings.filter(({ token }) => token)).toEqual([signedIn(true)])
    expect(landings.filter(({ token }) => !token)).toEqual(
      Array.from({ length: 49 }, () => failed('invalid_state')),
    )
    expect(answers.filter((answer) => answer.cookie)).toHaveLength(1)
  })

  test('that was spent on a failure is spent', async () => {
    const { callback, cookie } = await onTheWay()
    const denied = new URL(callback)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(landingOf(await comeBack(denied, cookie))).toEqual(failed('access_denied'))
    expect(landingOf(await comeBack(callback, cookie))).toEqual(failed('invalid_state'))
  })

  test('in another browser, with no cookie or one of its own, signs nobody in', async () => {
    const { callback, cookie } = await onTheWay()
    const stranger = await setOut('github')
    for (const other of ['', 'oauth_browser=', stranger.cookie, `${cookie}x`]) {
      const answer = await comeBack(callback, other)
      expect(landingOf(answer)).toEqual(failed('invalid_state'))
      expect(answer.cookie).toBeUndefined()
    }
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('of one tab stays good while another tab sets out too', async () => {
    const { callback, cookie } = await onTheWay()
    const again = await authorize('google', {}, { headers: { cookie } })
    expect(browserCookieOf(again).split(';')[0]).toBe(cookie)
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('that is ten minutes old is refused', async () => {
    const now = () => Math.floor(Date.now() / 1000)
    const sealed = async (exp: number) => {
      const { callback, cookie } = await onTheWay()
      return comeBack(await withState(callback, (state) => resealed(state, { exp })), cookie)
    }
    expect(landingOf(await sealed(now() - 1))).toEqual(failed('invalid_state'))
    const before = now()
    const { callback } = await onTheWay()
    const { payload } = await jwtDecrypt(callback.searchParams.get('state') ?? '', STATE_KEY)
    expect(payload.exp).toBeWithin(before + 599, now() + 602)
  })

  test('that is missing, changed, or not of our making is 400: it names nowhere to go', async () => {
    const { callback, cookie } = await onTheWay()
    const { accessToken } = await newUser(server)
    const otherKey = new Uint8Array(32).fill(7)
    const changes: [string, (state: string) => string | Promise<string>][] = [
      ['empty', () => ''],
      ['no state', () => 'state'],
      ['an access token', () => accessToken],
      ['cut short', (state) => state.slice(0, -1)],
      ['with another end', (state) => `${state.slice(0, -4)}AAAA`],
      ['with another header', (state) => `eyJhbGciOiJub25lIn0${state.slice(state.indexOf('.'))}`],
      ['sealed with another key', (state) => resealed(state, {}, otherKey)],
      ['of another provider', (state) => resealed(state, { sub: 'google' })],
      ['for an origin off the list', (state) => resealed(state, { o: 'https://evil.example' })],
      ['for a look-alike', (state) => resealed(state, { o: `${APP}.evil.example` })],
    ]
    for (const [what, change] of changes) {
      const answer = await comeBack(await withState(callback, change), cookie)
      expect([what, answer.status, answer.body]).toEqual([what, 400, { detail: 'Invalid state' }])
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.cookie).toBeUndefined()
    }
    const missing = new URL(callback)
    missing.searchParams.delete('state')
    expect((await comeBack(missing, cookie)).status).toBe(400)
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('of one provider is not taken from another', async () => {
    const { callback, cookie } = await onTheWay('github')
    const moved = new URL(callback)
    moved.pathname = moved.pathname.replace('github', 'twitter')
    const { status, body } = await comeBack(moved, cookie)
    expect([status, body]).toEqual([400, { detail: 'Invalid state' }])
  })

  test('does not lend itself to somebody else’s code', async () => {
    const [mine, theirs] = [await onTheWay(), await onTheWay()]
    mine.callback.searchParams.set('code', theirs.callback.searchParams.get('code') ?? '')
    expect(landingOf(await comeBack(mine.callback, mine.cookie))).toEqual(failed('provider_error'))
  })
})

describe('a provider', () => {
  test('whose ID token carries another nonce, or another issuer, is not believed', async () => {
    for (const mishap of ['another nonce', 'another issuer'] as const)
      expect((await signInWith('google', person({ mishap }))).landing).toEqual(
        failed('provider_error'),
      )
  })

  test('that names itself otherwise in the callback is not believed (RFC 9207)', async () => {
    const { callback, cookie } = await onTheWay('google')
    callback.searchParams.set('iss', 'https://issuer.example')
    expect(landingOf(await comeBack(callback, cookie))).toEqual(failed('provider_error'))
  })

  test('that refuses, or reports what we do not know, is told in a word that we know', async () => {
    for (const [error, told] of [
      ['access_denied', 'access_denied'],
      ['server_error', 'provider_error'],
      ['<script>', 'provider_error'],
    ] as const) {
      const { callback, cookie } = await onTheWay()
      callback.searchParams.delete('code')
      callback.searchParams.set('error', error)
      expect(landingOf(await comeBack(callback, cookie))).toEqual(failed(told))
    }
    const { callback, cookie } = await onTheWay()
    callback.searchParams.delete('code')
    expect(landingOf(await comeBack(callback, cookie))).toEqual(failed('provider_error'))
  })

  test('that fails when it is asked who somebody is signs nobody in', async () => {
    const mishap = 'the user endpoint fails'
    for (const [name, who] of [
      ['github', person({ mishap })],
      ['twitter', person({ mishap })],
      ['google', person({ mishap, emailIn: 'userinfo' })],
    ] as const) {
      const { landing, answer } = await signInWith(name, who)
      expect(landing).toEqual(failed('provider_error'))
      expect(answer.cookie).toBeUndefined()
    }
  })

  test('that refuses tells the operator why in the log, in a word and not in a sentence', async () => {
    const logged = async (mishap: () => Promise<unknown>) => {
      const before = server.log.length
      await mishap()
      return server.log.slice(before).find((line) => line.includes('OAuth sign-in failed'))
    }
    const refusing = person({ mishap: 'no code is good' })
    expect(await logged(() => signInWith('github', refusing))).toContain(
      'the provider answered invalid_grant',
    )
    const failing = person({ mishap: 'the user endpoint fails' })
    expect(await logged(() => signInWith('github', failing))).toContain(
      'user endpoint answered 500',
    )
    const { callback, cookie } = await onTheWay()
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'Somebody wrote this')
    expect(await logged(() => comeBack(callback, cookie))).not.toContain('Somebody')
  })

  test('that is down when somebody comes back signs nobody in', async () => {
    await using github = startGithub()
    await using other = await startServer({ ...github.env, SVC_FRONTEND_ORIGINS: APP })
    const out = await request(
      other,
      'GET',
      `/api/auth/oauth/github/authorize?${new URLSearchParams({ frontend_origin: APP })}`,
    )
    const callback = await github.agree(out.body.authorize_url, person())
    await github[Symbol.asyncDispose]()
    const answer = await request(other, 'GET', `${callback.pathname}${callback.search}`, {
      headers: { cookie: browserCookieOf(out).split(';')[0] ?? '' },
    })
    expect(landingOf(answer)).toEqual(failed('provider_error'))
  })
})

describe('an account with a second factor', () => {
  const newMfaPerson = async () => {
    const who = person()
    const token = await tokenOf('github', who)
    const { body } = await request(server, 'POST', '/api/auth/mfa/setup', { token })
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    const enabled = await request(server, 'POST', '/api/auth/mfa/enable', { token, body: { code } })
    expect(enabled.status).toBe(200)
    return { who, recoveryCodes: enabled.body.recovery_codes as string[] }
  }

  test('is asked for it after the provider, and gets no session before', async () => {
    const { who, recoveryCodes } = await newMfaPerson()
    const { landing, answer } = await signInWith('github', who)
    expect(landing).toEqual({
      status: 302,
      at: `${APP}/auth/callback`,
      mfa_required: '1',
      partial_token: expect.any(String),
    })
    expect(answer.cookie).toBeUndefined()
    const partial_token = String(landing.partial_token)
    expect((await request(server, 'GET', '/api/auth/me', { token: partial_token })).status).toBe(
      401,
    )
    const verified = await request(server, 'POST', '/api/auth/mfa/verify', {
      body: { partial_token, code: recoveryCodes[0] },
    })
    expect([verified.status, verified.body.user.email]).toEqual([200, who.email])
  })

  test('can give it on our own page', async () => {
    const { who, recoveryCodes } = await newMfaPerson()
    const { landing, answer } = await signInWith('github', who, '')
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain('action="/auth/callback"')
    const give = (code = '') =>
      request(server, 'POST', '/auth/callback', {
        headers: {
          origin: server.baseUrl,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({
          partial_token: String(landing.partial_token),
          code,
        }).toString(),
      })
    const wrong = await give('000000')
    expect([wrong.status, wrong.cookie]).toEqual([401, undefined])
    expect(wrong.text).toContain('Invalid code')
    const right = await give(recoveryCodes[0])
    expect([right.status, right.headers.get('location')]).toEqual([303, '/auth/callback'])
    const refreshed = await request(server, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(right.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('is asked for it on the way to a device login', async () => {
    const { who, recoveryCodes } = await newMfaPerson()
    const { landing, answer } = await viaDevicePage(who)
    expect(landing).toMatchObject({ at: `${server.baseUrl}/api/auth/mcp/device` })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain('One more step')
    const right = await request(server, 'POST', '/api/auth/mcp/device/verify', {
      headers: { origin: server.baseUrl, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        user_code: String(landing.user_code),
        partial_token: String(landing.partial_token),
        code: recoveryCodes[0] ?? '',
      }).toString(),
    })
    expect(right.headers.get('location')).toBe(
      `/api/auth/mcp/device?user_code=${landing.user_code}`,
    )
  })
})

/** Follows the GitHub link on the page of a device login. */
const viaDevicePage = async (who: Person, agrees = true) => {
  const { body } = await request(server, 'POST', '/api/auth/mcp/start', { body: {} })
  const page = await request(server, 'GET', `/api/auth/mcp/device?user_code=${body.user_code}`)
  const link = /href="(\/api\/auth\/oauth\/github\/start[^"]*)"/.exec(page.text)?.[1] ?? ''
  const hop = await request(server, 'GET', link.replaceAll('&#38;', '&'))
  const callback = await providers.github.agree(hop.headers.get('location') ?? '', who)
  if (!agrees) {
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
  }
  const answer = await comeBack(callback, browserCookieOf(hop).split(';')[0] ?? '')
  return { answer, landing: landingOf(answer), userCode: body.user_code }
}

describe('the page of a device login', () => {
  test('offers the configured providers and no others', async () => {
    const page = await request(server, 'GET', '/api/auth/mcp/device')
    for (const label of ['Google', 'GitHub', 'X'])
      expect(page.text).toContain(`Continue with ${label}</a>`)
    await using github = startGithub()
    await using other = await startServer(github.env)
    const text = (await request(other, 'GET', '/api/auth/mcp/device')).text
    expect(text).toContain('Continue with GitHub')
    expect(text).not.toMatch(/Continue with (Google|X)/)
  })

  test('is where somebody returns to, signed in', async () => {
    const { answer, landing, userCode } = await viaDevicePage(person())
    expect(landing).toEqual({
      status: 302,
      at: `${server.baseUrl}/api/auth/mcp/device`,
      user_code: userCode,
    })
    const page = await request(server, 'GET', `/api/auth/mcp/device?user_code=${userCode}`, {
      cookie: cookieValue(answer.cookie),
    })
    expect(page.text).toContain('Allow')
  })

  test('is one click away when the provider’s answer is no', async () => {
    const { answer, landing, userCode } = await viaDevicePage(person(), false)
    expect(landing).toMatchObject({ error: 'access_denied', user_code: userCode })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain(`href="/device?user_code=${userCode}"`)
  })

  test('is the only place that its links lead to', async () => {
    const evil = 'https://evil.example'
    for (const name of ['user_code', 'return', 'return_to', 'next', 'redirect_uri']) {
      const query = new URLSearchParams({ [name]: evil })
      const hop = await request(server, 'GET', `/api/auth/oauth/github/start?${query}`)
      const callback = await providers.github.agree(hop.headers.get('location') ?? '', person())
      expect(callback.origin).toBe(new URL(server.baseUrl).origin)
      const answer = await comeBack(callback, browserCookieOf(hop).split(';')[0] ?? '')
      expect(new URL(String(landingOf(answer).at)).origin).toBe(new URL(server.baseUrl).origin)
      expect(answer.headers.get('location')).not.toContain('evil')
    }
  })
})

describe('connections', () => {
  test('are listed with their address, for their own person alone', async () => {
    const who = person()
    const token = await tokenOf('google', who)
    const { status, body } = await connections(token)
    expect([status, body]).toEqual([
      200,
      [{ provider: 'google', email: who.email, connected_at: expect.stringMatching(/Z$/) }],
    ])
    expect((await connections((await newUser(server)).accessToken)).body).toEqual([])
  })

  test('need an access token: a stranger is 401, an API key 403', async () => {
    const { key } = await newUser(server)
    for (const [method, path] of [
      ['GET', 'connections'],
      ['DELETE', 'google'],
    ] as const) {
      const ask = (options = {}) => request(server, method, `/api/auth/oauth/${path}`, options)
      expect((await ask()).status).toBe(401)
      expect((await ask({ token: key })).status).toBe(403)
    }
  })

  test('can be removed while there is a password, and then open nothing any more', async () => {
    const user = await newVerifiedUser()
    const who = person({ email: user.email })
    await signInWith('github', who)
    const { status, body } = await disconnect(user.accessToken, 'github')
    expect([status, body]).toEqual([200, { message: 'Provider disconnected' }])
    expect((await connections(user.accessToken)).body).toEqual([])
    const other = await signInWith('github', { ...who, email: person().email })
    expect((await me(other.landing.token ?? '')).id).not.toBe(user.id)
  })

  test('that come and go are told in the account’s history', async () => {
    const user = await newVerifiedUser()
    await signInWith('github', person({ email: user.email }))
    await disconnect(user.accessToken, 'github')
    const { body } = await request(server, 'GET', '/api/auth/audit', { token: user.accessToken })
    const told = body.entries.filter(({ action }: { action: string }) => /^provider/.test(action))
    expect(told).toMatchObject([
      { action: 'provider.disconnected', details: { provider: 'github' } },
      { action: 'provider.connected', details: { provider: 'github' } },
    ])
  })

  test('cannot be removed when one is the last way in', async () => {
    const token = await tokenOf('github', person())
    const { status, body } = await disconnect(token, 'github')
    expect([status, body]).toEqual([
      400,
      { detail: 'This is the only way to sign in; set a password first' },
    ])
    expect((await connections(token)).body).toHaveLength(1)
  })

  test('that are not there are 404, of a known provider or not', async () => {
    const { accessToken } = await newUser(server)
    for (const name of ['github', 'facebook', 'connections']) {
      const { status, body } = await disconnect(accessToken, name)
      expect([status, body]).toEqual([404, { detail: 'Provider not connected' }])
    }
  })

  test('of which two are removed at once, fifty times, leave one', async () => {
    const { email } = person()
    await signInWith('github', person({ email }))
    const token = await tokenOf('google', person({ email }))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => disconnect(token, i % 2 ? 'github' : 'google')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await connections(token)).body).toHaveLength(1)
  })
})

describe('the configuration', () => {
  const refusal = (env: Record<string, string>) =>
    startServer(env).then(
      async (started) => {
        await started.stop()
        return 'it started'
      },
      (error) => error.message,
    )

  test('of half a client stops the start and names what is missing', async () => {
    expect(await refusal({ SVC_OAUTH_GITHUB_ID: 'id' })).toBe(
      'SVC_OAUTH_GITHUB_ID takes a SVC_OAUTH_GITHUB_SECRET',
    )
    expect(await refusal({ SVC_OAUTH_TWITTER_SECRET: 'secret' })).toBe(
      'SVC_OAUTH_TWITTER_SECRET takes a SVC_OAUTH_TWITTER_ID',
    )
  })

  test('of an endpoint in the clear on another machine stops the start', async () => {
    for (const url of ['http://provider.example', 'http://127.0.0.1.evil.example', 'ftp://x', 'x'])
      expect(await refusal({ SVC_OAUTH_GITHUB_TOKEN_URL: url })).toBe(
        'SVC_OAUTH_GITHUB_TOKEN_URL takes a URL that starts with https://, or http:// on this machine',
      )
  })
})
