import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import { ADMIN, type App, registerApp, signInTo } from './openid-provider-support.ts'

setDefaultTimeout(60_000)

let web: Web
let server: TestServer
let app: App
let status = 200
/** Logout tokens, each with the test that waits for it. */
const arrivals: string[] = []
let waiting: ((token: string) => void) | undefined
const next = (): Promise<string> => {
  const arrived = arrivals.shift()
  if (arrived !== undefined) return Promise.resolve(arrived)
  const { promise, resolve } = Promise.withResolvers<string>()
  waiting = resolve
  return promise
}

beforeAll(async () => {
  web = await startWeb()
  web.secureSite(async (request) => {
    const token = new URLSearchParams(await request.text()).get('logout_token') ?? ''
    if (waiting) waiting(token)
    else arrivals.push(token)
    waiting = undefined
    return new Response(null, { status })
  })
  server = await startServer({ SVC_ADMIN_EMAILS: ADMIN }, undefined, { fetching: web.fetching })
  app = await registerApp(server, await newVerifiedUser(server, ADMIN), {
    backchannel_logout_uri: 'https://secure.test/logout',
  })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await web[Symbol.asyncDispose]()
})

const signOut = ({ refreshToken }: TestUser) =>
  request(server, 'POST', '/api/auth/signout', {
    cookie: refreshToken,
    headers: { origin: new URL(server.baseUrl).origin },
  })

test('an app gets one logout token for a session of svc that has ended', async () => {
  const user = await newUser(server)
  const { id_token = '' } = await signInTo(server, app, user)
  await signInTo(server, app, user, { prompt: 'consent' })
  await signOut(user)
  const keys = createLocalJWKSet((await request(server, 'GET', '/.well-known/jwks.json')).body)
  const { payload, protectedHeader } = await jwtVerify(await next(), keys, {
    issuer: server.baseUrl,
    audience: app.id,
    typ: 'logout+jwt',
    requiredClaims: ['jti', 'iat', 'exp'],
  })
  expect(protectedHeader.alg).toBe('ES256')
  expect(payload).toMatchObject({ sub: user.id, sid: decodeJwt(id_token).sid })
  expect(payload.events).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
  expect(payload).not.toHaveProperty('nonce')

  // The next token is that of the next user: there was no second one for the first.
  const other = await newUser(server)
  await signInTo(server, app, other)
  await signOut(other)
  expect(decodeJwt(await next()).sub).toBe(other.id)
})

test('a notice that the app did not accept is sent again', async () => {
  const user = await newUser(server)
  await signInTo(server, app, user)
  status = 503
  await signOut(user)
  const first = decodeJwt(await next())
  status = 200
  const second = decodeJwt(await next())
  expect([first.sub, second.sub]).toEqual([user.id, user.id])
  expect(second.jti).not.toBe(first.jti)
})

test('an app is notified when its user ends all sessions', async () => {
  const user = await newUser(server)
  await signInTo(server, app, user)
  const { status: ended } = await request(server, 'DELETE', '/api/auth/sessions', {
    token: user.accessToken,
  })
  expect(ended).toBe(200)
  expect(decodeJwt(await next()).sub).toBe(user.id)
})
