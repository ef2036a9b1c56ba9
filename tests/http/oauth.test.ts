import { describe, expect, test } from 'bun:test'
import { jwtDecrypt } from 'jose'
import { tokenIn } from '../harness/mail.ts'
import { person, startGoogle, type TestProvider } from '../harness/oauth-provider.ts'
import { cookieValue, newUser, PASSWORD, request, startServer } from '../harness/server.ts'
import {
  APP,
  browserCookieOf,
  failed,
  landingOf,
  OTHER_APP,
  STATE_KEY,
  signedIn,
  useProviders,
} from './oauth-support.ts'

const NAMES = ['google', 'github', 'twitter'] as const

const suite = useProviders()
const { authorize, setOut, comeBack, signInWith, tokenOf, me, connections, newVerifiedUser } = suite

describe('setting out for a provider', () => {
  for (const name of NAMES)
    test(`leads to ${name} with a state, a PKCE challenge and where to return to`, async () => {
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
        const answer = await request(suite.server, 'GET', path)
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
    expect(start.origin).toBe(new URL(suite.server.baseUrl).origin)
    const hop = await request(suite.server, 'GET', `${start.pathname}${start.search}`)
    expect(hop.status).toBe(303)
    const callback = await suite.providers.github.agree(hop.headers.get('location') ?? '', person())
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
      const user = await newUser(suite.server)
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
      for (const user of [await newVerifiedUser(), await newUser(suite.server)]) {
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
      const token = tokenIn(await suite.mailbox.next(who.email ?? ''))
      await request(suite.server, 'POST', '/api/auth/verify-email', { body: { token } })
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
    const refreshed = await request(suite.server, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(answer.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('makes an account without a password: signing in with one says so', async () => {
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
        return { callback: await suite.providers.github.agree(authorizeUrl, who), cookie }
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
    const deleted = await request(suite.server, 'DELETE', '/api/auth/delete-account', {
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

  test('leaves neither code, state nor token in the log', async () => {
    const { authorizeUrl, cookie } = await setOut('github')
    const callback = await suite.providers.github.agree(authorizeUrl, person())
    const { token = '' } = landingOf(await comeBack(callback, cookie))
    await comeBack(callback, cookie)
    await request(suite.server, 'GET', `/auth/callback?token=${token}&new=1`)
    const log = suite.server.log.join('\n')
    for (const secret of [token, ...['code', 'state'].map((k) => callback.searchParams.get(k))]) {
      expect(secret).toBeTruthy()
      expect(log).not.toContain(secret)
    }
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
