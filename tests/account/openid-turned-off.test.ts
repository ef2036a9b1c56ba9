import { expect, test } from 'bun:test'
import * as client from 'openid-client'
import { newVerifiedUser } from '../harness/http.ts'
import { request, useServer } from '../harness/server.ts'
import {
  ADMIN,
  APP_CALLBACK,
  type App,
  agree,
  landingOf,
  open,
  start,
} from './openid-provider-support.ts'

const server = useServer({ SVC_ADMIN_EMAILS: ADMIN, SVC_FEATURES: '-openid' })

/** An app that knows the authorization server alone. */
const registerApp = async (): Promise<App> => {
  const admin = await newVerifiedUser(server.current, ADMIN)
  const { body } = await request(server.current, 'POST', '/api/admin/clients', {
    token: admin.accessToken,
    body: { name: 'Planner', redirect_uris: [APP_CALLBACK], scopes: ['openid', 'memory:read'] },
  })
  const [id, secret] = [body.client_id, body.client_secret]
  const config = await client.discovery(
    new URL(server.current.baseUrl),
    id,
    undefined,
    client.ClientSecretBasic(secret),
    { algorithm: 'oauth2', execute: [client.allowInsecureRequests] },
  )
  return { id, secret, config }
}

test('without the OpenID provider an app is authorized for memories and signs in no user', async () => {
  const app = await registerApp()
  const metadata = app.config.serverMetadata()
  expect(metadata.scopes_supported).toEqual([
    'mcp',
    'offline_access',
    'memory:read',
    'memory:write',
  ])
  expect([metadata.userinfo_endpoint, metadata.end_session_endpoint]).toEqual([
    undefined,
    undefined,
  ])

  const user = await newVerifiedUser(server.current)
  const started = await start(app, { scope: 'openid memory:read' })
  const code = (await agree(server.current, user, started)).searchParams.get('code') ?? ''
  const { status, body } = await request(server.current, 'POST', '/api/auth/mcp/oauth/token', {
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: app.id,
      client_secret: app.secret ?? '',
      redirect_uri: APP_CALLBACK,
      code_verifier: started.verifier,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect([status, body.scope, body.id_token]).toEqual([200, 'memory:read', undefined])
  const recalled = await request(server.current, 'POST', '/api/recall', {
    token: body.access_token,
    body: { query: 'heron' },
  })
  expect(recalled.status).toBe(200)

  const signIn = landingOf(
    await open(server.current, user.refreshToken, await start(app, { scope: 'openid' })),
  )
  expect(signIn.searchParams.get('error')).toBe('invalid_scope')
}, 60_000)
