import { beforeAll, expect } from 'bun:test'
import * as client from 'openid-client'
import { registerApp } from '../account/openid-provider-support.ts'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, signIn, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
}, 120_000)

const SCOPE = 'openid email memory:read memory:write'

const html = (body: string): Response =>
  new Response(`<link rel="icon" href="data:,">${body}`, {
    headers: { 'content-type': 'text/html' },
  })

const redirect = (url: URL): Response =>
  new Response(null, { status: 302, headers: { location: url.href } })

/** A web app that knows svc by its address and its own registration only. */
const startApp = async () => {
  let routes: Record<string, (url: URL) => Promise<Response> | Response> = {}
  const app = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (sent) => {
      const url = new URL(sent.url)
      return routes[url.pathname]?.(url) ?? new Response(null, { status: 404 })
    },
  })
  const origin = `http://127.0.0.1:${app.port}`
  const { config, id } = await registerApp(server.current, admin, {
    redirect_uris: [`${origin}/callback`],
    post_logout_redirect_uris: [`${origin}/`],
    scopes: SCOPE.split(' '),
  })
  const [verifier, state, nonce] = [
    client.randomPKCECodeVerifier(),
    client.randomState(),
    client.randomNonce(),
  ]
  const challenge = await client.calculatePKCECodeChallenge(verifier)
  const granted = Promise.withResolvers<client.TokenEndpointResponse>()
  let idToken = ''
  routes = {
    '/': () => html('<h1>Planner</h1><a href="/signin">Sign in with svc</a>'),
    '/signin': () =>
      redirect(
        client.buildAuthorizationUrl(config, {
          redirect_uri: `${origin}/callback`,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }),
      ),
    '/callback': async (url) => {
      const tokens = await client.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
      })
      granted.resolve(tokens)
      idToken = tokens.id_token ?? ''
      const { email } = await client.fetchUserInfo(
        config,
        tokens.access_token,
        tokens.claims()?.sub ?? '',
      )
      return html(`<h1>Hello ${email}</h1><a href="/signout">Sign out</a>`)
    },
    '/signout': () =>
      redirect(
        client.buildEndSessionUrl(config, {
          id_token_hint: idToken,
          post_logout_redirect_uri: `${origin}/`,
        }),
      ),
  }
  return { origin, id, granted: granted.promise, [Symbol.asyncDispose]: () => app.stop(true) }
}

const call = (token: string, path: string, body: object) =>
  request(server.current, 'POST', path, { token, body })

browserTest(
  'a user signs in to an app with svc, shares what they agree to, and signs out',
  async () => {
    await using app = await startApp()
    const user = await newUser(server.current)
    await call(user.key, '/api/remember', { content: 'The heron nests at the weir.' })
    const page = await visit({}, [app.origin])
    await page.goto(app.origin)
    await page.getByRole('link', { name: 'Sign in with svc' }).click()
    await heading(page, 'Sign in')
    await signIn(page, user.email)
    await heading(page, 'Sign in to Planner with svc?')
    await expectGoodPage(page)
    await page.getByLabel('save, change and delete memories').uncheck()
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, `Hello ${user.email}`)

    const { access_token, scope } = await app.granted
    expect(scope?.split(' ').toSorted()).toEqual(['email', 'memory:read', 'openid'])
    const found = await call(access_token, '/api/recall', { query: 'heron' })
    expect(found.text).toContain('The heron nests at the weir.')
    const refused = await call(access_token, '/api/remember', { content: 'Not agreed to.' })
    expect(refused.status).toBe(403)

    await page.getByRole('link', { name: 'Sign out' }).click()
    await heading(page, 'Planner')
    expect((await call(access_token, '/api/recall', { query: 'heron' })).status).toBe(401)
    await page.getByRole('link', { name: 'Sign in with svc' }).click()
    await heading(page, 'Sign in')
  },
)
