import { beforeAll, describe, expect, test } from 'bun:test'
import * as client from 'openid-client'
import { newVerifiedUser, UUID } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { passKeyTime } from '../harness/signing-keys.ts'
import { askTokens, letIn } from '../mcp/oauth-support.ts'
import {
  ADMIN,
  APP_CALLBACK,
  type App,
  agree,
  errorOf,
  exchange,
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

/** A 401 with `WWW-Authenticate`. */
const CHALLENGED = 'OAUTH_WWW_AUTHENTICATE_CHALLENGE'

const manage = (method: string, path: string, body?: object, who: TestUser = admin) =>
  request(server.current, method, `/api/admin/clients${path}`, {
    token: who.accessToken,
    ...(body && { body }),
  })
const recall = (token: string) =>
  request(server.current, 'POST', '/api/recall', { token, body: { query: 'heron' } })
const userInfoOf = (token: string) =>
  request(server.current, 'GET', '/api/auth/mcp/oauth/userinfo', { token })
const actionsOf = async (who: TestUser) =>
  (await request(server.current, 'GET', '/api/auth/audit', { token: who.accessToken })).body.entries

describe('the apps of the server', () => {
  test('an admin registers, lists, changes and deletes an app; its secret is shown once', async () => {
    const created = await manage('POST', '', { name: 'Wiki', redirect_uris: [APP_CALLBACK] })
    expect(created.status).toBe(201)
    const { client_id } = created.body
    expect(created.body).toMatchObject({
      client_id: UUID,
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      name: 'Wiki',
      redirect_uris: [APP_CALLBACK],
      post_logout_redirect_uris: [],
      backchannel_logout_uri: null,
      scopes: ['openid', 'profile', 'email'],
      confidential: true,
      skips_consent: false,
      last_used_at: null,
    })
    const listed = (await manage('GET', '')).body.find(
      (each: { client_id: string }) => each.client_id === client_id,
    )
    expect(listed).toMatchObject({ name: 'Wiki' })
    expect(listed).not.toHaveProperty('client_secret')
    const changed = await manage('PATCH', `/${client_id}`, { name: 'Team wiki' })
    expect(changed.body).toMatchObject({ name: 'Team wiki', redirect_uris: [APP_CALLBACK] })
    for (const status of [204, 404])
      expect((await manage('DELETE', `/${client_id}`)).status).toBe(status)
    expect((await manage('PATCH', `/${client_id}`, { name: 'Wiki' })).status).toBe(404)
    expect((await manage('POST', `/${client_id}/secret`)).status).toBe(404)
    const actions = (await actionsOf(admin)).map(({ action }: { action: string }) => action)
    for (const action of ['created', 'changed', 'deleted'])
      expect(actions).toContain(`managed_client.${action}`)
  })

  test('only admins see and change apps, and an API key changes none', async () => {
    const user = await newUser(server.current)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', { name: 'Mine', redirect_uris: [APP_CALLBACK] }],
      ['PATCH', `/${app.id}`, { name: 'Mine' }],
      ['DELETE', `/${app.id}`, undefined],
      ['POST', `/${app.id}/secret`, undefined],
    ] as const)
      expect([method, (await manage(method, path, body, user)).status]).toEqual([method, 403])
    const byKey = await request(server.current, 'DELETE', `/api/admin/clients/${app.id}`, {
      token: admin.key,
    })
    expect(byKey.status).toBe(403)
  })

  test('URIs that a browser must not open are refused', async () => {
    for (const field of ['redirect_uris', 'post_logout_redirect_uris'])
      for (const uri of ['javascript:alert(1)', 'http://planner.example.com/', 'smb://a/b']) {
        const fields = { name: 'Bad', redirect_uris: [APP_CALLBACK], [field]: [uri] }
        const { status, body } = await manage('POST', '', fields)
        expect([status, body.detail[0].loc]).toEqual([422, ['body', field]])
        expect(body.detail[0].msg).toContain(uri)
      }
    const { status, body } = await manage('PATCH', `/${app.id}`, {
      backchannel_logout_uri: 'com.example.app:/logout',
    })
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'backchannel_logout_uri']])
  })

  test('a self-registered client is no app of the server', async () => {
    const { clientId } = await letIn(server.current, await newUser(server.current))
    expect((await manage('DELETE', `/${clientId}`)).status).toBe(404)
    expect(JSON.stringify((await manage('GET', '')).body)).not.toContain(clientId)
  })
})

describe('a change to an app', () => {
  test('a new secret ends the previous one', async () => {
    const old = await registerApp(server.current, admin)
    const { body } = await manage('POST', `/${old.id}/secret`)
    const user = await newUser(server.current)
    expect(await errorOf(signInTo(server.current, old, user))).toBe(CHALLENGED)
    const renewed = await openApp(server.current, old.id, body.client_secret)
    const started = await start(renewed, { prompt: 'consent' })
    const landing = await agree(server.current, user, started)
    expect((await exchange(server.current, renewed, started, landing)).id_token).toBeString()
    const open = await registerApp(server.current, admin, { confidential: false })
    expect((await manage('POST', `/${open.id}/secret`)).status).toBe(409)
  })

  test('scopes that an app loses end for its tokens and consents', async () => {
    const wide = await registerApp(server.current, admin)
    const user = await newUser(server.current)
    const scope = 'openid email offline_access memory:read'
    const tokens = await signInTo(server.current, wide, user, { scope })
    expect((await recall(tokens.access_token)).status).toBe(200)
    await manage('PATCH', `/${wide.id}`, { scopes: ['openid', 'offline_access'] })
    expect((await recall(tokens.access_token)).status).toBe(403)
    expect(Object.keys((await userInfoOf(tokens.access_token)).body)).toEqual(['sub'])
    const refreshed = await client.refreshTokenGrant(wide.config, tokens.refresh_token ?? '')
    expect(refreshed.scope).toBe('openid offline_access')
    await manage('PATCH', `/${wide.id}`, { scopes: scope.split(' ') })
    expect((await recall(refreshed.access_token)).status).toBe(403)
  })

  test('a deleted app ends with its codes, tokens and consents', async () => {
    const gone = await registerApp(server.current, admin)
    const user = await newUser(server.current)
    const scope = 'openid offline_access memory:read'
    const tokens = await signInTo(server.current, gone, user, { scope })
    const started = await start(gone, { scope, prompt: 'consent' })
    const landing = await agree(server.current, user, started)
    await manage('DELETE', `/${gone.id}`)
    expect((await recall(tokens.access_token)).status).toBe(401)
    expect(await errorOf(client.refreshTokenGrant(gone.config, tokens.refresh_token ?? ''))).toBe(
      CHALLENGED,
    )
    expect(await errorOf(exchange(server.current, gone, started, landing))).toBe(CHALLENGED)
    const { body } = await request(server.current, 'GET', '/api/auth/consents', {
      token: user.accessToken,
    })
    expect(body).toEqual([])
    expect((await open(server.current, user.refreshToken, started)).status).toBe(400)
  })
})

describe('introspection and revocation', () => {
  const scope = 'openid offline_access memory:read'

  test('an app learns the state of its own tokens until they end', async () => {
    const user = await newUser(server.current)
    const { access_token, refresh_token = '' } = await signInTo(server.current, app, user, {
      scope,
    })
    expect(await client.tokenIntrospection(app.config, access_token)).toMatchObject({
      active: true,
      client_id: app.id,
      sub: user.id,
      scope,
      token_type: 'Bearer',
      iss: server.current.baseUrl,
      aud: `${server.current.baseUrl}/api`,
    })
    expect(await client.tokenIntrospection(app.config, refresh_token)).toMatchObject({
      active: true,
      token_type: 'refresh_token',
      sub: user.id,
    })
    const renewed = await client.refreshTokenGrant(app.config, refresh_token)
    expect(await client.tokenIntrospection(app.config, refresh_token)).toEqual({ active: false })
    await client.tokenRevocation(app.config, renewed.access_token)
    for (const token of [access_token, renewed.refresh_token ?? '', 'nonsense'])
      expect(await client.tokenIntrospection(app.config, token)).toEqual({ active: false })
    expect((await recall(access_token)).status).toBe(401)
  })

  test('an app learns nothing of the tokens of another, and cannot revoke them', async () => {
    const other = await registerApp(server.current, admin, { name: 'Other' })
    const { access_token } = await signInTo(server.current, app, await newUser(server.current))
    expect(await client.tokenIntrospection(other.config, access_token)).toEqual({ active: false })
    expect(await errorOf(client.tokenRevocation(other.config, access_token))).toBe('invalid_grant')
    expect((await userInfoOf(access_token)).status).toBe(200)
  })

  test('introspection and revocation need the secret of the app', async () => {
    const { access_token } = await signInTo(server.current, app, await newUser(server.current))
    const publicApp = await registerApp(server.current, admin, { confidential: false })
    const wrong = await openApp(server.current, app.id, 'wrong')
    for (const { config } of [publicApp, wrong])
      expect(await errorOf(client.tokenIntrospection(config, access_token))).toBe(CHALLENGED)
    expect(await errorOf(client.tokenRevocation(wrong.config, access_token))).toBe(CHALLENGED)
    const missing = await request(server.current, 'POST', '/api/auth/mcp/oauth/introspect', {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${Buffer.from(`${app.id}:${app.secret}`).toString('base64')}`,
      },
      body: '',
    })
    expect([missing.status, missing.body.error]).toEqual([400, 'invalid_request'])
  })

  test('the refresh of one app is not possible with the credentials of another', async () => {
    const other = await registerApp(server.current, admin, { name: 'Other' })
    const { refresh_token = '' } = await signInTo(
      server.current,
      app,
      await newUser(server.current),
      { scope },
    )
    expect(await errorOf(client.refreshTokenGrant(other.config, refresh_token))).toBe(
      'invalid_grant',
    )
    const { status } = await askTokens(server.current, {
      grant_type: 'refresh_token',
      client_id: app.id,
      refresh_token,
    })
    expect(status).toBe(401)
    expect((await client.refreshTokenGrant(app.config, refresh_token)).access_token).toBeString()
  })
})

test('tokens of an app outlive a rotation of the signing keys, unless one leaked', async () => {
  const user = await newUser(server.current)
  const rotate = (body: object) =>
    request(server.current, 'POST', '/api/admin/signing-keys/rotate', {
      token: admin.accessToken,
      body,
    })
  const scope = 'openid offline_access memory:read'
  const before = await signInTo(server.current, app, user, { scope })
  expect((await rotate({})).status).toBe(200)
  await passKeyTime(server.current.database, 11)
  const after = await client.refreshTokenGrant(app.config, before.refresh_token ?? '')
  for (const { access_token } of [before, after]) {
    expect((await recall(access_token)).status).toBe(200)
    expect((await userInfoOf(access_token)).status).toBe(200)
  }
  await rotate({ now: true })
  expect((await recall(after.access_token)).status).toBe(401)
  admin = { ...admin, accessToken: await renewed(admin) }
  const last = await client.refreshTokenGrant(app.config, after.refresh_token ?? '')
  expect((await recall(last.access_token)).status).toBe(200)
})

const renewed = async ({ refreshToken }: TestUser): Promise<string> =>
  (
    await request(server.current, 'POST', '/api/auth/refresh', {
      cookie: refreshToken,
      headers: { origin: new URL(server.current.baseUrl).origin },
    })
  ).body.access_token
