import { describe, expect, test } from 'bun:test'
import { jwtDecrypt } from 'jose'
import { tokenIn } from '../harness/mail.ts'
import { person, startGoogle, type TestProvider } from '../harness/oauth-provider.ts'
import { cookieValue, newUser, PASSWORD, request, startServer } from '../harness/server.ts'
import {
  APP,
  browserCookieOf,
  failed,
  OTHER_APP,
  redirectOf,
  STATE_KEY,
  signedIn,
  useProviders,
} from './oauth-sign-in-support.ts'

const NAMES = ['google', 'github', 'twitter'] as const

const suite = useProviders()
const {
  authorize,
  beginSignIn,
  followCallback,
  signInWith,
  tokenOf,
  me,
  connections,
  newVerifiedUser,
} = suite

describe('beginning a sign-in through a provider', () => {
  for (const name of NAMES)
    test(`the URL for ${name} has a state, a PKCE challenge and the redirect URI`, async () => {
      const answer = await authorize(name, { frontend_origin: APP })
      const redirect_uri = `${suite.server.baseUrl}/api/auth/oauth/${name}/callback`
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

  test('a cookie without access for scripts and other sites ties the callback to the browser', async () => {
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

  test('the client does not receive the PKCE verifier', async () => {
    const { authorizeUrl, cookie } = await beginSignIn('twitter')
    const state = new URL(authorizeUrl).searchParams.get('state') ?? ''
    const { payload } = await jwtDecrypt(state, STATE_KEY)
    const verifier = String(payload.v)
    expect(verifier).toMatch(/^[\w-]{43}$/)
    const seen = [authorizeUrl, cookie, ...state.split('.')]
    for (const text of [...seen, ...seen.map((each) => Buffer.from(each, 'base64url').toString())])
      expect(text).not.toContain(verifier)
  })

  test('each sign-in has a new state and challenge', async () => {
    const urls = [await beginSignIn('github'), await beginSignIn('github')].map(
      ({ authorizeUrl }) => new URL(authorizeUrl).searchParams,
    )
    for (const name of ['state', 'code_challenge'])
      expect(urls[0]?.get(name)).not.toBe(urls[1]?.get(name) ?? '')
  })

  test('an unknown or unconfigured provider is 400', async () => {
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
    test(`returning to ‘${origin}’, which is not on the allow list, is refused`, async () => {
      for (const step of ['authorize', 'start']) {
        const path = `/api/auth/oauth/github/${step}?${new URLSearchParams({ frontend_origin: origin })}`
        const answer = await request(suite.server, 'GET', path)
        expect(answer.status).toBe(400)
        expect(answer.text).toContain('Origin not allowed')
        expect(answer.headers.get('location')).toBeNull()
      }
    })

  test('a page of another site is sent through an own page, where the cookie is set', async () => {
    const answer = await authorize(
      'github',
      { frontend_origin: APP },
      { headers: { origin: APP, 'sec-fetch-site': 'cross-site' } },
    )
    const start = new URL(answer.body.authorize_url)
    expect(start.origin).toBe(new URL(suite.server.baseUrl).origin)
    const hop = await request(suite.server, 'GET', `${start.pathname}${start.search}`)
    expect(hop.status).toBe(303)
    const callback = await suite.providers.github.agree(hop.headers.get('location') ?? '', person())
    const cookie = browserCookieOf(hop).split(';')[0] ?? ''
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(signedIn(true))
  })

  test('an unreachable issuer is 503; a later sign-in works', async () => {
    await using google = await startGoogle()
    let reachable = false
    await using front = startIssuerProxy(google, () => reachable)
    await using other = await startServer({ ...google.env, SVC_OAUTH_GOOGLE_ISSUER: front.url })
    const path = '/api/auth/oauth/google/authorize'
    const down = await request(other, 'GET', path)
    expect([down.status, down.body]).toEqual([503, { detail: 'The provider cannot be reached' }])
    reachable = true
    expect((await request(other, 'GET', path)).status).toBe(200)
  })
})

/** A proxy in front of an issuer that can be switched off. */
const startIssuerProxy = (google: TestProvider, mayAnswer: () => boolean) => {
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

describe('the callback of a provider', () => {
  for (const name of NAMES) {
    test(`${name} creates an account the first time and signs in to it the second`, async () => {
      const identity = person()
      const first = await signInWith(name, identity)
      expect(first.landing).toEqual(signedIn(true))
      const account = await me(first.landing.token ?? '')
      expect(account).toMatchObject({ email: identity.email, email_verified: true })
      expect(account.display_name).toStartWith('person-')

      const again = await signInWith(name, identity)
      expect(again.landing).toEqual(signedIn(false))
      expect((await me(again.landing.token ?? '')).id).toBe(account.id)
    })

    test(`${name} with another address signs in to the same account`, async () => {
      const who = person()
      const { id } = await me(await tokenOf(name, who))
      const moved = await signInWith(name, person({ subject: who.subject }))
      expect(moved.landing).toEqual(signedIn(false))
      expect(await me(moved.landing.token ?? '')).toMatchObject({ id, email: who.email })
    })

    test(`${name} with a verified address signs in to the verified account of that address`, async () => {
      const user = await newVerifiedUser()
      const who = person({ email: user.email.toUpperCase() })
      const { landing } = await signInWith(name, who)
      expect(landing).toEqual(signedIn(false))
      expect((await me(landing.token ?? '')).id).toBe(user.id)
      expect((await connections(user.accessToken)).body).toEqual([
        { provider: name, email: user.email, connected_at: expect.any(String) },
      ])
    })

    test(`${name} does not sign in to an account with an unverified address`, async () => {
      const user = await newUser(suite.server)
      const { landing, answer } = await signInWith(name, person({ email: user.email }))
      expect(landing).toEqual(failed('account_exists'))
      expect(answer.cookie).toBeUndefined()
      expect((await connections(user.accessToken)).body).toEqual([])
    })

    test(`${name} with an invalid code does not sign in`, async () => {
      const who = person({ mishap: 'no code is good' })
      const { landing, answer } = await signInWith(name, who)
      expect(landing).toEqual(failed('provider_error'))
      expect(answer.cookie).toBeUndefined()
      const { mishap: _, ...mended } = who
      expect((await signInWith(name, mended)).landing).toEqual(signedIn(true))
    })
  }

  for (const name of ['google', 'github'] as const) {
    test(`${name} with an unverified address does not sign in to an existing account`, async () => {
      for (const user of [await newVerifiedUser(), await newUser(suite.server)]) {
        const who = person({ email: user.email, verified: false })
        expect((await signInWith(name, who)).landing).toEqual(failed('account_exists'))
        expect((await connections(user.accessToken)).body).toEqual([])
      }
    })

    test(`${name} with an unverified address creates an unverified account`, async () => {
      const who = person({ verified: false })
      const { landing } = await signInWith(name, who)
      expect(landing).toEqual(signedIn(true))
      expect(await me(landing.token ?? '')).toMatchObject({
        email: who.email,
        email_verified: false,
      })
      const token = tokenIn(await suite.mailbox.next(who.email ?? ''))
      await request(suite.server, 'POST', '/api/auth/verify-email', { body: { token } })
      expect((await me(landing.token ?? '')).email_verified).toBe(true)
    })
  }

  test('a provider account without an address creates no account', async () => {
    for (const name of NAMES)
      expect((await signInWith(name, person({ email: undefined }))).landing).toEqual(
        failed('email_required'),
      )
    expect((await signInWith('twitter', person({ verified: false }))).landing).toEqual(
      failed('email_required'),
    )
  })

  test('a connected provider account without an address signs in', async () => {
    const who = person()
    await signInWith('twitter', who)
    const { landing } = await signInWith('twitter', { ...who, email: undefined })
    expect(landing).toEqual(signedIn(false))
  })

  test('a disposable or malformed address creates no account', async () => {
    for (const email of ['someone@mailinator.com', 'someone'])
      expect((await signInWith('google', person({ email }))).landing).toEqual(
        failed('email_not_allowed'),
      )
  })

  test('the address comes from the user endpoint if the ID token has none', async () => {
    const who = person({ emailIn: 'userinfo' })
    const { landing } = await signInWith('google', who)
    expect(await me(landing.token ?? '')).toMatchObject({ email: who.email, email_verified: true })
  })

  test('the callback sets the refresh cookie of a session', async () => {
    const { answer } = await signInWith('github', person())
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/api/auth'])
      expect(answer.cookie).toContain(attribute)
    const refreshed = await request(suite.server, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(answer.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('an account of a provider has no password; signing in with one is 400', async () => {
    const who = person()
    await signInWith('github', who)
    const { status, body } = await request(suite.server, 'POST', '/api/auth/signin', {
      body: { email: who.email, password: PASSWORD },
    })
    expect([status, body]).toEqual([
      400,
      { detail: 'This account signs in through a provider and has no password' },
    ])
  })

  test('two providers with one verified address sign in to one account', async () => {
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

  test('fifty parallel first sign-ins create one account', async () => {
    const who = person()
    const ways = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { authorizeUrl, cookie } = await beginSignIn('github')
        return { callback: await suite.providers.github.agree(authorizeUrl, who), cookie }
      }),
    )
    const landings = (
      await Promise.all(ways.map(({ callback, cookie }) => followCallback(callback, cookie)))
    ).map(redirectOf)
    expect(landings.filter((landing) => landing.new === '1')).toHaveLength(1)
    expect(landings.filter((landing) => landing.new === '0')).toHaveLength(49)
    const users = await Promise.all(landings.map(({ token }) => me(token ?? '')))
    expect(new Set(users.map(({ id }) => id)).size).toBe(1)
  })

  test('a deleted account is created anew', async () => {
    const who = person()
    const token = await tokenOf('github', who)
    const { id } = await me(token)
    const deleted = await request(suite.server, 'DELETE', '/api/auth/delete-account', {
      token,
      body: { confirm: who.email },
    })
    expect(deleted.status).toBe(200)
    const { landing } = await signInWith('github', who)
    expect(landing).toEqual(signedIn(true))
    expect((await me(landing.token ?? '')).id).not.toBe(id)
  })

  test('the callback redirects to the app that began the sign-in', async () => {
    const { landing } = await signInWith('github', person(), OTHER_APP)
    expect(landing.at).toBe(`${OTHER_APP}/auth/callback`)
  })

  test('a sign-in without an app ends on an own page', async () => {
    const { landing, answer } = await signInWith('github', person(), '')
    expect(landing).toMatchObject({ at: `${suite.server.baseUrl}/auth/callback`, new: '1' })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(suite.server, 'GET', `${pathname}${search}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Signed in')
    expect(page.text).not.toContain(landing.token ?? '')
    expect(page.headers.get('referrer-policy')).toBe('same-origin')
    expect(page.headers.get('cache-control')).toBe('no-store')
    const failure = await request(suite.server, 'GET', '/auth/callback?error=access_denied')
    expect(failure.text).toContain('You did not allow the sign-in.')
    const strange = await request(suite.server, 'GET', '/auth/callback?error=<script>')
    expect(strange.text).toContain('Not signed in')
    expect(strange.text).not.toContain('<script>')
  })

  test('code, state and token are not logged', async () => {
    const { authorizeUrl, cookie } = await beginSignIn('github')
    const callback = await suite.providers.github.agree(authorizeUrl, person())
    const { token = '' } = redirectOf(await followCallback(callback, cookie))
    await followCallback(callback, cookie)
    await request(suite.server, 'GET', `/auth/callback?token=${token}&new=1`)
    const log = suite.server.log.join('\n')
    for (const secret of [token, ...['code', 'state'].map((k) => callback.searchParams.get(k))]) {
      expect(secret).toBeTruthy()
      expect(log).not.toContain(secret)
    }
  })
})

describe('the configuration of providers', () => {
  const refusal = (env: Record<string, string>) =>
    startServer(env).then(
      async (started) => {
        await started.stop()
        return 'it started'
      },
      (error) => error.message,
    )

  test('a client id without a secret stops the start and names the missing variable', async () => {
    expect(await refusal({ SVC_OAUTH_GITHUB_ID: 'id' })).toBe(
      'SVC_OAUTH_GITHUB_ID requires SVC_OAUTH_GITHUB_SECRET',
    )
    expect(await refusal({ SVC_OAUTH_TWITTER_SECRET: 'secret' })).toBe(
      'SVC_OAUTH_TWITTER_SECRET requires SVC_OAUTH_TWITTER_ID',
    )
  })

  test('a plain HTTP endpoint on another machine stops the start', async () => {
    for (const url of ['http://provider.example', 'http://127.0.0.1.evil.example', 'ftp://x', 'x'])
      expect(await refusal({ SVC_OAUTH_GITHUB_TOKEN_URL: url })).toBe(
        'SVC_OAUTH_GITHUB_TOKEN_URL must be a URL that starts with https://, or http:// on this machine',
      )
  })
})
