import { beforeAll, describe, expect, test } from 'bun:test'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import {
  ADMIN,
  ALL_SCOPES,
  type App,
  agree,
  errorOf,
  exchange,
  landingOf,
  open,
  openApp,
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

const recall = (token: string) =>
  request(server.current, 'POST', '/api/recall', { token, body: { query: 'heron' } })
const remember = (token: string, headers = {}) =>
  request(server.current, 'POST', '/api/remember', {
    token,
    headers,
    body: { content: 'A heron stands still.' },
  })
const userInfoOf = (token: string, method = 'GET') =>
  request(server.current, method, '/api/auth/mcp/oauth/userinfo', { token })

describe('discovery', () => {
  test('both metadata documents are the same, and name this server and its endpoints', async () => {
    const [openId, oauth] = await Promise.all(
      ['openid-configuration', 'oauth-authorization-server'].map((name) =>
        request(server.current, 'GET', `/.well-known/${name}`),
      ),
    )
    expect(openId?.body).toEqual(oauth?.body)
    expect(openId?.body).toMatchObject({
      issuer: server.current.baseUrl,
      id_token_signing_alg_values_supported: ['ES256'],
      subject_types_supported: ['public'],
      response_types_supported: ['code'],
      request_uri_parameter_supported: false,
    })
    expect(openId?.body.scopes_supported).toEqual(expect.arrayContaining(ALL_SCOPES.split(' ')))
    for (const name of ['authorization', 'token', 'userinfo', 'introspection', 'end_session'])
      expect(openId?.body[`${name}_endpoint`]).toStartWith(server.current.baseUrl)
  })
})

describe('the authorization code flow', () => {
  test('an app signs a user in and gets an ID token with the claims of its scopes', async () => {
    const user = await newVerifiedUser(server.current)
    const started = await start(app, { scope: 'openid profile email' })
    const page = await open(server.current, user.refreshToken, started)
    expect(page.text).toContain('Sign in to Planner with svc?')
    expect(page.text).toContain('an admin of this server')
    expect(page.text).toContain('see your email address')
    expect(page.text).not.toContain('recall and read memories')

    const landing = await agree(server.current, user, started)
    expect(landing.searchParams.get('iss')).toBe(server.current.baseUrl)
    const tokens = await exchange(server.current, app, started, landing)
    expect(tokens.scope).toBe('openid profile email')
    expect(tokens.refresh_token).toBeUndefined()
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', server.current.url))
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token ?? '', keys, {
      issuer: server.current.baseUrl,
      audience: app.id,
    })
    expect(protectedHeader.alg).toBe('ES256')
    const { id: sub, email } = user
    expect(payload).toMatchObject({ sub, email, email_verified: true, nonce: started.nonce })
    expect(payload.preferred_username).toBeString()
    expect(payload.auth_time).toBeNumber()
    expect(payload.sid).toBeString()
    expect(payload.at_hash).toBeString()

    expect(await client.fetchUserInfo(app.config, tokens.access_token, sub)).toMatchObject({
      sub,
      email,
      email_verified: true,
      preferred_username: String(payload.preferred_username),
    })
    expect((await userInfoOf(tokens.access_token, 'POST')).body.sub).toBe(sub)
  })

  test('an app sees no claims beyond its scopes', async () => {
    const user = await newUser(server.current)
    const { access_token, id_token } = await signInTo(server.current, app, user)
    expect(await userInfoOf(access_token)).toMatchObject({ status: 200, body: { sub: user.id } })
    expect(Object.keys((await userInfoOf(access_token)).body)).toEqual(['sub'])
    expect(decodeJwt(id_token ?? '')).not.toHaveProperty('email')
  })

  test('a public app signs in with PKCE alone', async () => {
    const spa = await registerApp(server.current, admin, { name: 'Board', confidential: false })
    expect(spa.secret).toBeUndefined()
    const user = await newUser(server.current)
    expect(decodeJwt((await signInTo(server.current, spa, user)).id_token ?? '').sub).toBe(user.id)
  })

  test('an app with a secret authenticates in the form, too', async () => {
    const byForm = await openApp(
      server.current,
      app.id,
      undefined,
      client.ClientSecretPost(app.secret),
    )
    const user = await newUser(server.current)
    expect((await signInTo(server.current, byForm, user)).id_token).toBeString()
  })

  test('a user who denies returns to the app with access_denied', async () => {
    const user = await newUser(server.current)
    const landing = await agree(server.current, user, await start(app), { decision: 'deny' })
    expect(landing.searchParams.get('error')).toBe('access_denied')
    expect(landing.searchParams.has('code')).toBe(false)
  })

  test('a user who agreed is not asked again, unless the app requests more', async () => {
    const user = await newUser(server.current)
    await signInTo(server.current, app, user, { scope: 'openid email' })
    const again = await start(app, { scope: 'openid email' })
    const landing = landingOf(await open(server.current, user.refreshToken, again))
    const tokens = await exchange(server.current, app, again, landing)
    expect(decodeJwt(tokens.id_token ?? '').email).toBe(user.email)

    const more = await open(
      server.current,
      user.refreshToken,
      await start(app, { scope: 'openid email memory:read' }),
    )
    expect([more.status, more.text.includes('recall and read memories')]).toEqual([200, true])
  })

  test('users of an app that skips the consent are not asked, and see it among their apps', async () => {
    const own = await registerApp(server.current, admin, { name: 'Own', skips_consent: true })
    const user = await newUser(server.current)
    const started = await start(own, { scope: 'openid profile' })
    const landing = landingOf(await open(server.current, user.refreshToken, started))
    expect((await exchange(server.current, own, started, landing)).id_token).toBeString()
    const { body } = await request(server.current, 'GET', '/api/auth/consents', {
      token: user.accessToken,
    })
    expect(body).toMatchObject([{ client_id: own.id, name: 'Own', scopes: ['openid', 'profile'] }])
  })

  test('an email address that is not verified is reported so', async () => {
    const user = await newUser(server.current)
    const { id_token } = await signInTo(server.current, app, user, { scope: 'openid email' })
    expect(decodeJwt(id_token ?? '').email_verified).toBe(false)
  })
})

describe('refresh tokens', () => {
  test('an app with offline_access refreshes, and a used refresh token ends the grant', async () => {
    const user = await newUser(server.current)
    const first = await signInTo(server.current, app, user, { scope: 'openid offline_access' })
    const second = await client.refreshTokenGrant(app.config, first.refresh_token ?? '')
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const [before, after] = [first, second].map(({ id_token }) => decodeJwt(id_token ?? ''))
    expect(after).toMatchObject({ sub: user.id, auth_time: before?.auth_time, aud: app.id })
    expect(after).not.toHaveProperty('nonce')
    const third = await client.refreshTokenGrant(app.config, second.refresh_token ?? '')
    expect(await errorOf(client.refreshTokenGrant(app.config, first.refresh_token ?? ''))).toBe(
      'invalid_grant',
    )
    expect((await userInfoOf(third.access_token)).status).toBe(401)
  })

  test('without offline_access an app loses its access with the session of the user', async () => {
    const user = await newUser(server.current)
    const brief = await signInTo(server.current, app, user)
    const lasting = await signInTo(server.current, app, user, { scope: 'openid offline_access' })
    expect((await userInfoOf(brief.access_token)).status).toBe(200)
    const signOut = await request(server.current, 'POST', '/api/auth/signout', {
      cookie: user.refreshToken,
      headers: { origin: new URL(server.current.baseUrl).origin },
    })
    expect(signOut.status).toBe(200)
    expect((await userInfoOf(brief.access_token)).status).toBe(401)
    expect((await userInfoOf(lasting.access_token)).status).toBe(200)
  })
})

describe('the memory of the user', () => {
  test('an app recalls and remembers only as far as the user agreed', async () => {
    const user = await newUser(server.current)
    const scope = 'openid memory:read memory:write'
    const both = await signInTo(server.current, app, user, { scope })
    expect((await remember(both.access_token)).body).toMatchObject({
      source: { trust: 'assistant' },
    })
    expect((await recall(both.access_token)).body.count).toBe(1)

    const other = await registerApp(server.current, admin, { name: 'Reader' })
    const reader = await signInTo(
      server.current,
      other,
      user,
      { scope },
      { grant: ['memory:read'] },
    )
    expect(reader.scope).toBe('openid memory:read')
    expect((await recall(reader.access_token)).body.count).toBe(1)
    expect((await remember(reader.access_token)).status).toBe(403)

    // The user is not asked again about a scope that was declined.
    const again = await start(other, { scope })
    const landing = landingOf(await open(server.current, user.refreshToken, again))
    expect((await exchange(server.current, other, again, landing)).scope).toBe('openid memory:read')
  })

  test('an app without a memory scope gets 403, and no app reaches the account', async () => {
    const user = await newUser(server.current)
    const plain = await signInTo(server.current, app, user, { scope: 'openid email' })
    expect((await recall(plain.access_token)).status).toBe(403)
    const { access_token: token } = await signInTo(server.current, app, user, { scope: ALL_SCOPES })
    for (const [method, path, body] of [
      ['GET', '/api/me'],
      ['GET', '/api/auth/me'],
      ['GET', '/api/auth/sessions'],
      ['GET', '/api/profile'],
      ['GET', '/api/sessions'],
      ['GET', '/api/orgs'],
      ['GET', '/api/admin/clients'],
      ['POST', '/api/auth/api-keys', { name: 'mine' }],
      ['POST', '/api/auth/api-keys/delegate', { name: 'mine', scopes: ['memory:read'] }],
    ] as const) {
      const { status } = await request(server.current, method, path, {
        token,
        ...(body && { body }),
      })
      expect([path, status]).toEqual([path, 403])
    }
    const mcp = await request(server.current, 'POST', '/api/mcp', {
      token,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    expect(mcp.status).toBe(401)
  })

  test('a withdrawn consent ends the tokens of the app, and the app asks again', async () => {
    const user = await newUser(server.current)
    const tokens = await signInTo(server.current, app, user, { scope: ALL_SCOPES })
    const token = user.accessToken
    const { body } = await request(server.current, 'GET', '/api/auth/consents', { token })
    const path = `/api/auth/consents/${body[0].id}`
    expect(
      (await request(server.current, 'DELETE', path, { token: tokens.access_token })).status,
    ).toBe(403)
    const stranger = await newUser(server.current)
    for (const [who, status] of [
      [stranger, 404],
      [user, 204],
      [user, 404],
    ] as const)
      expect(
        (await request(server.current, 'DELETE', path, { token: who.accessToken })).status,
      ).toBe(status)
    expect((await recall(tokens.access_token)).status).toBe(401)
    expect(await errorOf(client.refreshTokenGrant(app.config, tokens.refresh_token ?? ''))).toBe(
      'invalid_grant',
    )
    const asked = await open(server.current, user.refreshToken, await start(app))
    expect(asked.status).toBe(200)
  })
})
