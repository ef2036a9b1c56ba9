import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { decodeJwt } from 'jose'
import * as client from 'openid-client'
import { newUser, startServer, type TestServer } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import {
  APP_CALLBACK,
  APP_HOME,
  type App,
  agree,
  exchange,
  landingOf,
  open,
  openApp,
  signInTo,
  start,
} from './openid-provider-support.ts'

setDefaultTimeout(60_000)

let web: Web
let server: TestServer
let app: App
const LOOPBACK = 'http://127.0.0.1:7777/callback'
beforeAll(async () => {
  web = await startWeb()
  web.secureSite((request) =>
    Response.json({
      client_id: `https://secure.test${new URL(request.url).pathname}`,
      client_name: 'Kingfisher',
      redirect_uris: [APP_CALLBACK, LOOPBACK],
      post_logout_redirect_uris: [APP_HOME],
    }),
  )
  server = await startServer({}, undefined, { fetching: web.fetching })
  app = await openApp(server, 'https://secure.test/app.json')
}, 60_000)
afterAll(async () => {
  await server.stop()
  await web[Symbol.asyncDispose]()
})

test('a client with a metadata document signs a user in, and is not asked again', async () => {
  const user = await newUser(server)
  const started = await start(app, { scope: 'openid email memory:read' })
  const page = await open(server, user.refreshToken, started)
  expect(page.text).toContain('Sign in to Kingfisher with svc?')
  expect(page.text).toContain('<dd>secure.test</dd>')
  const tokens = await exchange(server, app, started, await agree(server, user, started))
  expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ aud: app.id, email: user.email })
  const silent = await start(app, { scope: 'openid email', prompt: 'none' })
  const landing = landingOf(await open(server, user.refreshToken, silent))
  expect((await exchange(server, app, silent, landing)).id_token).toBeString()
})

test('a client with a metadata document signs the user out, and the browser returns to its URI', async () => {
  const user = await newUser(server)
  const { id_token = '' } = await signInTo(server, app, user)
  const logout = (post_logout_redirect_uri: string) =>
    open(server, user.refreshToken, {
      url: client.buildEndSessionUrl(app.config, {
        id_token_hint: id_token,
        post_logout_redirect_uri,
      }),
    })
  expect((await logout('https://evil.example/')).status).toBe(400)
  expect(landingOf(await logout(APP_HOME)).href).toBe(APP_HOME)
})

test('a client that the user does not know cannot redirect the browser without a page', async () => {
  const { refreshToken } = await newUser(server)
  for (const [parameters, status] of [
    [{ prompt: 'none' }, 400],
    [{ code_challenge_method: 'plain' }, 400],
  ] as const) {
    const started = await start(app)
    for (const [name, value] of Object.entries(parameters))
      started.url.searchParams.set(name, value)
    const page = await open(server, refreshToken, started)
    expect([page.status, page.headers.get('location')]).toEqual([status, null])
  }
  const signedOut = await open(server, undefined, await start(app, { prompt: 'none' }))
  expect([signedOut.status, signedOut.text.includes('type="password"')]).toEqual([200, true])
})

test('an app on the user’s device asks each time, because another app can use its redirect URI', async () => {
  const user = await newUser(server)
  const parameters = { redirect_uri: LOOPBACK }
  await signInTo(server, app, user, parameters)
  const again = await open(server, user.refreshToken, await start(app, parameters))
  expect(again.status).toBe(200)
  const elsewhere = await open(server, user.refreshToken, await start(app))
  expect(landingOf(elsewhere).searchParams.has('code')).toBe(true)
})

test('a client with a metadata document gets tokens of the MCP endpoint if it names it or no scope of the API', async () => {
  const user = await newUser(server)
  for (const parameters of [
    { scope: 'openid mcp' },
    { scope: 'offline_access' },
    { scope: 'openid email', resource: `${server.baseUrl}/api/mcp` },
  ]) {
    const page = await open(server, user.refreshToken, await start(app, parameters))
    expect(page.text).toContain('Allow Kingfisher to use your memory?')
  }
})
