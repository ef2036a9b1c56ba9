import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { type Person, person, startGithub } from '../harness/oauth-provider.ts'
import { cookieValue, newUser, request, startServer } from '../harness/server.ts'
import { APP, browserCookieOf, redirectOf, useProviders } from './oauth-sign-in-support.ts'

const suite = useProviders()
const { followCallback, signInWith, tokenOf, me, connections, newVerifiedUser } = suite

const disconnect = (token: string, name: string) =>
  request(suite.server, 'DELETE', `/api/auth/oauth/${name}`, { token })

describe('an account with a second factor', () => {
  const newMfaPerson = async () => {
    const identity = person()
    const token = await tokenOf('github', identity)
    const { body } = await request(suite.server, 'POST', '/api/auth/mfa/setup', { token })
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    const enabled = await request(suite.server, 'POST', '/api/auth/mfa/enable', {
      token,
      body: { code },
    })
    expect(enabled.status).toBe(200)
    return { who: identity, recoveryCodes: enabled.body.recovery_codes as string[] }
  }

  test('signing in through a provider asks for the code and starts no session before', async () => {
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
    expect(
      (await request(suite.server, 'GET', '/api/auth/me', { token: partial_token })).status,
    ).toBe(401)
    const verified = await request(suite.server, 'POST', '/api/auth/mfa/verify', {
      body: { partial_token, code: recoveryCodes[0] },
    })
    expect([verified.status, verified.body.user.email]).toEqual([200, who.email])
  })

  test('the code can be entered on the callback page', async () => {
    const { who, recoveryCodes } = await newMfaPerson()
    const { landing, answer } = await signInWith('github', who, '')
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(suite.server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain('action="/auth/callback"')
    const give = (code = '') =>
      request(suite.server, 'POST', '/auth/callback', {
        headers: {
          origin: suite.server.baseUrl,
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
    const refreshed = await request(suite.server, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(right.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('a device login asks for the code after the provider', async () => {
    const { who, recoveryCodes } = await newMfaPerson()
    const { landing, answer } = await viaDevicePage(who)
    expect(landing).toMatchObject({ at: `${suite.server.baseUrl}/api/auth/mcp/device` })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(suite.server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain('Enter your code')
    const right = await request(suite.server, 'POST', '/api/auth/mcp/device/verify', {
      headers: {
        origin: suite.server.baseUrl,
        'content-type': 'application/x-www-form-urlencoded',
      },
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
  const { body } = await request(suite.server, 'POST', '/api/auth/mcp/start', { body: {} })
  const page = await request(
    suite.server,
    'GET',
    `/api/auth/mcp/device?user_code=${body.user_code}`,
  )
  const link = /href="(\/api\/auth\/oauth\/github\/start[^"]*)"/.exec(page.text)?.[1] ?? ''
  const hop = await request(suite.server, 'GET', link.replaceAll('&#38;', '&'))
  const callback = await suite.providers.github.agree(hop.headers.get('location') ?? '', who)
  if (!agrees) {
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'access_denied')
  }
  const answer = await followCallback(callback, browserCookieOf(hop).split(';')[0] ?? '')
  return { answer, landing: redirectOf(answer), userCode: body.user_code }
}

describe('providers on the page of a device login', () => {
  test('the page links to the configured providers only', async () => {
    const page = await request(suite.server, 'GET', '/api/auth/mcp/device')
    for (const label of ['Google', 'GitHub', 'X (Twitter)'])
      expect(page.text).toContain(`Continue with ${label}</a>`)
    await using github = startGithub()
    await using other = await startServer(github.env)
    const text = (await request(other, 'GET', '/api/auth/mcp/device')).text
    expect(text).toContain('Continue with GitHub')
    expect(text).not.toMatch(/Continue with (Google|X)/)
  })

  test('a sign-in through a provider returns to the page, signed in', async () => {
    const { answer, landing, userCode } = await viaDevicePage(person())
    expect(landing).toEqual({
      status: 302,
      at: `${suite.server.baseUrl}/api/auth/mcp/device`,
      user_code: userCode,
    })
    const page = await request(suite.server, 'GET', `/api/auth/mcp/device?user_code=${userCode}`, {
      cookie: cookieValue(answer.cookie),
    })
    expect(page.text).toContain('Allow')
  })

  test('a denied sign-in links back to the page', async () => {
    const { answer, landing, userCode } = await viaDevicePage(person(), false)
    expect(landing).toMatchObject({ error: 'access_denied', user_code: userCode })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(suite.server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain(`href="/device?user_code=${userCode}"`)
  })

  test('the links of the page return to the page only', async () => {
    const evil = 'https://evil.example'
    for (const name of ['user_code', 'return', 'return_to', 'next', 'redirect_uri']) {
      const query = new URLSearchParams({ [name]: evil })
      const hop = await request(suite.server, 'GET', `/api/auth/oauth/github/start?${query}`)
      const callback = await suite.providers.github.agree(
        hop.headers.get('location') ?? '',
        person(),
      )
      expect(callback.origin).toBe(new URL(suite.server.baseUrl).origin)
      const answer = await followCallback(callback, browserCookieOf(hop).split(';')[0] ?? '')
      expect(new URL(String(redirectOf(answer).at)).origin).toBe(
        new URL(suite.server.baseUrl).origin,
      )
      expect(answer.headers.get('location')).not.toContain('evil')
    }
  })
})

describe('connections', () => {
  test('a user lists their own connections with the addresses at the providers', async () => {
    const identity = person()
    const token = await tokenOf('google', identity)
    const { status, body } = await connections(token)
    expect([status, body]).toEqual([
      200,
      [{ provider: 'google', email: identity.email, connected_at: expect.stringMatching(/Z$/) }],
    ])
    expect((await connections((await newUser(suite.server)).accessToken)).body).toEqual([])
  })

  test('listing connections requires an access token; an API key is 403', async () => {
    const { key } = await newUser(suite.server)
    for (const [method, path] of [
      ['GET', 'connections'],
      ['DELETE', 'google'],
    ] as const) {
      const send = (options = {}) =>
        request(suite.server, method, `/api/auth/oauth/${path}`, options)
      expect((await send()).status).toBe(401)
      expect((await send({ token: key })).status).toBe(403)
    }
  })

  test('an account with a password disconnects a provider, which then cannot sign in', async () => {
    const user = await newVerifiedUser()
    const who = person({ email: user.email })
    await signInWith('github', who)
    const { status, body } = await disconnect(user.accessToken, 'github')
    expect([status, body]).toEqual([200, { message: 'Provider disconnected' }])
    expect((await connections(user.accessToken)).body).toEqual([])
    const other = await signInWith('github', { ...who, email: person().email })
    expect((await me(other.landing.token ?? '')).id).not.toBe(user.id)
  })

  test('connecting and disconnecting is recorded in the audit log', async () => {
    const user = await newVerifiedUser()
    await signInWith('github', person({ email: user.email }))
    await disconnect(user.accessToken, 'github')
    const { body } = await request(suite.server, 'GET', '/api/auth/audit', {
      token: user.accessToken,
    })
    const entries = body.entries.filter(({ action }: { action: string }) =>
      /^provider/.test(action),
    )
    expect(entries).toMatchObject([
      { action: 'provider.disconnected', details: { provider: 'github' } },
      { action: 'provider.connected', details: { provider: 'github' } },
    ])
  })

  test('the last sign-in method cannot be disconnected', async () => {
    const token = await tokenOf('github', person())
    const { status, body } = await disconnect(token, 'github')
    expect([status, body]).toEqual([
      400,
      { detail: 'This is the only way to sign in; set a password first' },
    ])
    expect((await connections(token)).body).toHaveLength(1)
  })

  test('disconnecting a provider that is not connected is 404', async () => {
    const { accessToken } = await newUser(suite.server)
    for (const name of ['github', 'facebook', 'connections']) {
      const { status, body } = await disconnect(accessToken, name)
      expect([status, body]).toEqual([404, { detail: 'Provider not connected' }])
    }
  })

  test('fifty parallel disconnects of two providers leave one sign-in method', async () => {
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
