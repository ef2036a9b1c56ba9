import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { type Person, person, startGithub } from '../harness/oauth-provider.ts'
import { cookieValue, newUser, request, startServer } from '../harness/server.ts'
import { APP, browserCookieOf, landingOf, useProviders } from './oauth-support.ts'

const suite = useProviders()
const { comeBack, signInWith, tokenOf, me, connections, newVerifiedUser } = suite

const disconnect = (token: string, name: string) =>
  request(suite.server, 'DELETE', `/api/auth/oauth/${name}`, { token })

describe('an account with a second factor', () => {
  const newMfaPerson = async () => {
    const who = person()
    const token = await tokenOf('github', who)
    const { body } = await request(suite.server, 'POST', '/api/auth/mfa/setup', { token })
    const code = new TOTP({ secret: Secret.fromBase32(body.secret) }).generate()
    const enabled = await request(suite.server, 'POST', '/api/auth/mfa/enable', {
      token,
      body: { code },
    })
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
    expect(
      (await request(suite.server, 'GET', '/api/auth/me', { token: partial_token })).status,
    ).toBe(401)
    const verified = await request(suite.server, 'POST', '/api/auth/mfa/verify', {
      body: { partial_token, code: recoveryCodes[0] },
    })
    expect([verified.status, verified.body.user.email]).toEqual([200, who.email])
  })

  test('can give it on our own page', async () => {
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

  test('is asked for it on the way to a device login', async () => {
    const { who, recoveryCodes } = await newMfaPerson()
    const { landing, answer } = await viaDevicePage(who)
    expect(landing).toMatchObject({ at: `${suite.server.baseUrl}/api/auth/mcp/device` })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(suite.server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain('One more step')
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
  const answer = await comeBack(callback, browserCookieOf(hop).split(';')[0] ?? '')
  return { answer, landing: landingOf(answer), userCode: body.user_code }
}

describe('the page of a device login', () => {
  test('offers the configured providers and no others', async () => {
    const page = await request(suite.server, 'GET', '/api/auth/mcp/device')
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
      at: `${suite.server.baseUrl}/api/auth/mcp/device`,
      user_code: userCode,
    })
    const page = await request(suite.server, 'GET', `/api/auth/mcp/device?user_code=${userCode}`, {
      cookie: cookieValue(answer.cookie),
    })
    expect(page.text).toContain('Allow')
  })

  test('is one click away when the provider’s answer is no', async () => {
    const { answer, landing, userCode } = await viaDevicePage(person(), false)
    expect(landing).toMatchObject({ error: 'access_denied', user_code: userCode })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '')
    const page = await request(suite.server, 'GET', `${pathname}${search}`)
    expect(page.text).toContain(`href="/device?user_code=${userCode}"`)
  })

  test('is the only place that its links lead to', async () => {
    const evil = 'https://evil.example'
    for (const name of ['user_code', 'return', 'return_to', 'next', 'redirect_uri']) {
      const query = new URLSearchParams({ [name]: evil })
      const hop = await request(suite.server, 'GET', `/api/auth/oauth/github/start?${query}`)
      const callback = await suite.providers.github.agree(
        hop.headers.get('location') ?? '',
        person(),
      )
      expect(callback.origin).toBe(new URL(suite.server.baseUrl).origin)
      const answer = await comeBack(callback, browserCookieOf(hop).split(';')[0] ?? '')
      expect(new URL(String(landingOf(answer).at)).origin).toBe(
        new URL(suite.server.baseUrl).origin,
      )
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
    expect((await connections((await newUser(suite.server)).accessToken)).body).toEqual([])
  })

  test('need an access token: a stranger is 401, an API key 403', async () => {
    const { key } = await newUser(suite.server)
    for (const [method, path] of [
      ['GET', 'connections'],
      ['DELETE', 'google'],
    ] as const) {
      const ask = (options = {}) =>
        request(suite.server, method, `/api/auth/oauth/${path}`, options)
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
    const { body } = await request(suite.server, 'GET', '/api/auth/audit', {
      token: user.accessToken,
    })
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
    const { accessToken } = await newUser(suite.server)
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
