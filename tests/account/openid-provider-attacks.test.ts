import { beforeAll, describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { askTokens, decide, register } from '../mcp/oauth-support.ts'
import {
  ADMIN,
  APP_CALLBACK,
  type App,
  agree,
  errorOf,
  exchange,
  landingOf,
  open,
  openApp,
  postForm,
  registerApp,
  signInTo,
  start,
} from './openid-provider-support.ts'

const server = useServer({ SVC_ADMIN_EMAILS: ADMIN })
let admin: TestUser
let app: App
beforeAll(async () => {
  admin = await newVerifiedUser(server.current, ADMIN)
  app = await registerApp(server.current, admin)
}, 120_000)

const userInfoOf = (token: string | undefined, headers = {}) =>
  request(server.current, 'GET', '/api/auth/mcp/oauth/userinfo', {
    headers,
    ...(token !== undefined && { token }),
  })

/** A code for a user, with what the app needs to exchange it. */
const newCode = async (user: TestUser, parameters: Record<string, string> = {}) => {
  const started = await start(app, { prompt: 'consent', ...parameters })
  const landing = await agree(server.current, user, started)
  const form = {
    grant_type: 'authorization_code',
    client_id: app.id,
    client_secret: app.secret ?? '',
    code: landing.searchParams.get('code') ?? '',
    code_verifier: started.verifier,
    redirect_uri: APP_CALLBACK,
  }
  return { started, landing, form }
}

describe('a code', () => {
  test('a code that is used again later ends the tokens of its first use', async () => {
    const { started, landing } = await newCode(await newUser(server.current))
    const tokens = await exchange(server.current, app, started, landing)
    expect((await userInfoOf(tokens.access_token)).status).toBe(200)
    await runSql(
      server.current.database,
      `update oauth_codes set used_at = used_at - interval '10 seconds'`,
    )
    expect(await errorOf(exchange(server.current, app, started, landing))).toBe('invalid_grant')
    expect((await userInfoOf(tokens.access_token)).status).toBe(401)
  })

  test('a code that is used again at once, without the verifier, ends the tokens too', async () => {
    const { form } = await newCode(await newUser(server.current))
    const first = await askTokens(server.current, form)
    const stolen = { ...form, code_verifier: client.randomPKCECodeVerifier() }
    expect((await askTokens(server.current, stolen)).status).toBe(400)
    expect((await userInfoOf(first.body.access_token)).status).toBe(401)
  })

  test('parallel exchanges of one code yield tokens once, and end nothing', async () => {
    for (let round = 0; round < 4; round++) {
      const { form } = await newCode(await newUser(server.current))
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => askTokens(server.current, form)),
      )
      const [granted, ...others] = answers.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect((await userInfoOf(granted?.body.access_token)).status).toBe(200)
      expect((await askTokens(server.current, form)).body.error).toBe('invalid_grant')
      expect((await userInfoOf(granted?.body.access_token)).status).toBe(200)
    }
  })

  test('a code is bound to its verifier, redirect URI and client', async () => {
    const user = await newUser(server.current)
    const other = await registerApp(server.current, admin, { name: 'Other' })
    for (const change of [
      { code_verifier: client.randomPKCECodeVerifier() },
      { redirect_uri: 'https://planner.example.com/other' },
      { client_id: other.id, client_secret: other.secret ?? '' },
    ]) {
      const { form } = await newCode(user)
      const { status, body } = await askTokens(server.current, { ...form, ...change })
      expect([status, body.error]).toEqual([400, 'invalid_grant'])
    }
  })

  test('the app detects a nonce and a state that are not its own', async () => {
    const user = await newUser(server.current)
    const { started, landing } = await newCode(user)
    expect(
      await errorOf(
        exchange(server.current, app, started, landing, { expectedNonce: client.randomNonce() }),
      ),
    ).toBe('OAUTH_JWT_CLAIM_COMPARISON_FAILED')
    const second = await newCode(user)
    expect(
      await errorOf(
        exchange(server.current, app, second.started, second.landing, { expectedState: 'x' }),
      ),
    ).toBe('OAUTH_INVALID_RESPONSE')
  })

  test('a code needs the secret of its app, and a failed attempt does not use it up', async () => {
    const { form } = await newCode(await newUser(server.current))
    const { client_secret, ...withoutSecret } = form
    for (const attempt of [withoutSecret, { ...form, client_secret: `${client_secret}x` }]) {
      const { status, body, headers } = await askTokens(server.current, attempt)
      expect([status, body.error]).toEqual([401, 'invalid_client'])
      expect(headers.get('www-authenticate')).toStartWith('Basic')
    }
    expect((await askTokens(server.current, form)).status).toBe(200)
  })

  test('two different secrets in one request are rejected', async () => {
    const { form } = await newCode(await newUser(server.current))
    const { status, body } = await request(server.current, 'POST', '/api/auth/mcp/oauth/token', {
      body: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${app.id}:x`).toString('base64')}`,
      },
    })
    expect([status, body.error]).toEqual([400, 'invalid_request'])
  })
})

describe('an authorization request', () => {
  test('a redirect URI that is not registered is shown to the user, not called', async () => {
    const { refreshToken } = await newUser(server.current)
    for (const redirect_uri of [
      'https://evil.example/',
      `${APP_CALLBACK}/`,
      `${APP_CALLBACK}?a=b`,
    ]) {
      const page = await open(server.current, refreshToken, await start(app, { redirect_uri }))
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
      expect(page.text).toContain('redirect_uri is not registered for this client')
    }
  })

  test('every other fault is reported to the app with its state', async () => {
    const { refreshToken } = await newUser(server.current)
    const faults: [Record<string, string>, string][] = [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ code_challenge: 'short' }, 'invalid_request'],
      [{ scope: 'unknown' }, 'invalid_scope'],
      [{ scope: 'offline_access' }, 'invalid_scope'],
      [{ resource: 'https://other.example/' }, 'invalid_target'],
      [{ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
      [{ request_uri: 'https://planner.example.com/r' }, 'request_uri_not_supported'],
      [{ registration: '{}' }, 'registration_not_supported'],
      [{ response_mode: 'fragment' }, 'invalid_request'],
      [{ prompt: 'none login' }, 'invalid_request'],
      [{ max_age: 'soon' }, 'invalid_request'],
      [{ nonce: 'n'.repeat(1_001) }, 'invalid_request'],
      [{ id_token_hint: 'not a token' }, 'invalid_request'],
    ]
    for (const [parameters, error] of faults) {
      const started = await start(app)
      for (const [name, value] of Object.entries(parameters))
        started.url.searchParams.set(name, value)
      const { searchParams } = landingOf(await open(server.current, refreshToken, started))
      expect([parameters, searchParams.get('error')]).toEqual([parameters, error])
      expect(searchParams.get('state')).toBe(started.state)
      expect(searchParams.get('iss')).toBe(server.current.baseUrl)
    }
  })

  test('an app gets no scope that the admin did not allow', async () => {
    const narrow = await registerApp(server.current, admin, { name: 'Narrow', scopes: ['openid'] })
    const { refreshToken } = await newUser(server.current)
    const started = await start(narrow, { scope: 'openid memory:read' })
    const { searchParams } = landingOf(await open(server.current, refreshToken, started))
    expect(searchParams.get('error')).toBe('invalid_scope')
  })

  test('a user cannot grant more than the app requested', async () => {
    const user = await newUser(server.current)
    const tokens = await signInTo(
      server.current,
      app,
      user,
      { scope: 'openid' },
      { grant: ['memory:read', 'email', 'admin'] },
    )
    expect(tokens.scope).toBe('openid')
  })

  test('a decision counts only from a page of this server, for the user it was shown to', async () => {
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    const { url } = await start(app)
    const form = new URLSearchParams(url.searchParams)
    form.set('decision', 'approve')
    form.set('user', ada.id)
    const path = '/api/auth/mcp/oauth/authorize/decide'
    const foreign = await request(server.current, 'POST', path, {
      cookie: ada.refreshToken,
      body: form.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://planner.example.com',
      },
    })
    expect([foreign.status, foreign.headers.get('location')]).toEqual([403, null])
    const asBob = await postForm(server.current, path, form, bob.refreshToken)
    expect(asBob.headers.get('location')).toStartWith('/api/auth/mcp/oauth/authorize?')
  })

  test('an app may post the request, which leads to the page', async () => {
    const { url } = await start(app)
    const { status, headers } = await request(server.current, 'POST', url.pathname, {
      body: url.searchParams.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://planner.example.com',
      },
    })
    const location = new URL(headers.get('location') ?? '', server.current.baseUrl)
    expect([status, location.pathname]).toEqual([303, url.pathname])
    expect(location.searchParams.get('nonce')).toBe(url.searchParams.get('nonce'))
  })

  test('a client that registered itself gets the scopes of the MCP endpoint only', async () => {
    const client_id = await register(server.current, { redirect_uris: [APP_CALLBACK] })
    const self = await openApp(server.current, client_id)
    const { url, verifier } = await start(self, { scope: 'openid email memory:read' })
    const user = await newUser(server.current)
    const landing = await decide(server.current, user, `${url.pathname}${url.search}`)
    const { body } = await askTokens(server.current, {
      grant_type: 'authorization_code',
      client_id,
      code: landing.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: APP_CALLBACK,
    })
    expect([body.scope, body.id_token]).toEqual(['mcp offline_access', undefined])
    expect((await userInfoOf(body.access_token)).status).toBe(401)
  })
})

describe('a token', () => {
  test('userinfo rejects other tokens, and says how', async () => {
    const user = await newUser(server.current)
    const { id_token, access_token } = await signInTo(server.current, app, user)
    for (const token of ['nonsense', user.accessToken, user.key, id_token]) {
      const { status, headers, body } = await userInfoOf(token)
      expect([status, body.error]).toEqual([401, 'invalid_token'])
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
    const missing = await userInfoOf(undefined)
    expect([missing.status, missing.body.error]).toEqual([401, 'invalid_request'])
    const [header, payload, signature] = access_token.split('.')
    const forged = Buffer.from(
      JSON.stringify({ ...decodeJwt(access_token), scope: 'openid email', sub: admin.id }),
    ).toString('base64url')
    expect((await userInfoOf(`${header}.${forged}.${signature}`)).status).toBe(401)
    expect((await userInfoOf(`${header}.${payload}.${signature}`)).status).toBe(200)
  })

  test('userinfo needs the scope openid', async () => {
    const { form } = await newCode(await newUser(server.current), { scope: 'memory:read' })
    const { body } = await askTokens(server.current, form)
    expect(body).not.toHaveProperty('id_token')
    const { status, headers } = await userInfoOf(body.access_token)
    expect(status).toBe(403)
    expect(headers.get('www-authenticate')).toContain('insufficient_scope')
  })

  test('an ID token and a refresh token open no endpoint of the API', async () => {
    const user = await newUser(server.current)
    const scope = 'openid offline_access memory:read'
    const { id_token, refresh_token } = await signInTo(server.current, app, user, { scope })
    for (const token of [id_token, refresh_token]) {
      const answer = await request(server.current, 'POST', '/api/recall', {
        ...(token && { token }),
        body: { query: 'heron' },
      })
      expect(answer.status).toBe(401)
    }
  })
})
