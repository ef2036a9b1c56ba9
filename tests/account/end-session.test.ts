import { beforeAll, describe, expect, test } from 'bun:test'
import * as client from 'openid-client'
import { newVerifiedUser } from '../harness/http.ts'
import { cookieValue, newUser, PASSWORD, request, useServer } from '../harness/server.ts'
import { fieldsOn, OAUTH } from '../mcp/oauth-support.ts'
import {
  ADMIN,
  APP_HOME,
  type App,
  landingOf,
  open,
  postForm,
  registerApp,
  signInTo,
} from './openid-provider-support.ts'

const server = useServer({ SVC_ADMIN_EMAILS: ADMIN })
let app: App
beforeAll(async () => {
  app = await registerApp(server.current, await newVerifiedUser(server.current, ADMIN))
}, 120_000)

const CONFIRM = `${OAUTH}/end-session/confirm`
const logoutUrl = (parameters: Record<string, string>) => ({
  url: client.buildEndSessionUrl(app.config, { client_id: app.id, ...parameters }),
})
const isSignedIn = async (token: string) =>
  (await request(server.current, 'GET', '/api/me', { token })).status === 200
const answer = async (page: string, decision: string, cookie: string) => {
  const form = new URLSearchParams({ ...fieldsOn(page, CONFIRM), decision })
  return postForm(server.current, CONFIRM, form, cookie)
}
const signedIn = async () => {
  const user = await newUser(server.current)
  return { user, tokens: await signInTo(server.current, app, user) }
}

describe('an app that signs its user out', () => {
  test('with an ID token of the session, the session ends and the browser returns to the app', async () => {
    const { user, tokens } = await signedIn()
    const request = logoutUrl({
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: APP_HOME,
      state: 'a state',
    })
    const gone = await open(server.current, user.refreshToken, request)
    expect(landingOf(gone).href).toBe(`${APP_HOME}?state=a+state`)
    expect(gone.cookie).toContain('Max-Age=0')
    expect(await isSignedIn(user.accessToken)).toBe(false)
    // No user is signed in, so the browser returns without a question.
    expect(landingOf(await open(server.current, undefined, request)).origin).toBe(
      new URL(APP_HOME).origin,
    )
  })

  test('without an ID token the page asks, and does as the user decides', async () => {
    const { user } = await signedIn()
    const logout = logoutUrl({ post_logout_redirect_uri: APP_HOME })
    const page = await open(server.current, user.refreshToken, logout)
    expect(page.text).toContain('Planner asks to end your session of svc in this browser.')
    expect(landingOf(await answer(page.text, 'stay', user.refreshToken)).href).toBe(APP_HOME)
    expect(await isSignedIn(user.accessToken)).toBe(true)
    expect(landingOf(await answer(page.text, 'sign_out', user.refreshToken)).href).toBe(APP_HOME)
    expect(await isSignedIn(user.accessToken)).toBe(false)
  })

  test('the page asks for an ID token of another user or session, and for one that is forged', async () => {
    const { user, tokens } = await signedIn()
    const other = await signedIn()
    const again = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email: user.email, password: PASSWORD },
    })
    const [header, payload] = (tokens.id_token ?? '').split('.')
    for (const [cookie, hint] of [
      [other.user.refreshToken, tokens.id_token],
      [cookieValue(again.cookie), tokens.id_token],
      [user.refreshToken, tokens.access_token],
      [user.refreshToken, `${header}.${payload}.${'A'.repeat(86)}`],
    ] as const) {
      const page = await open(server.current, cookie, logoutUrl({ id_token_hint: hint ?? '' }))
      expect([page.status, page.text.includes('Sign out of svc?')]).toEqual([200, true])
    }
    for (const each of [user, other.user]) expect(await isSignedIn(each.accessToken)).toBe(true)
  })

  test('the browser goes only to a registered URI', async () => {
    const { user, tokens } = await signedIn()
    for (const post_logout_redirect_uri of ['https://evil.example/', `${APP_HOME}other`]) {
      const logout = logoutUrl({ id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri })
      const page = await open(server.current, user.refreshToken, logout)
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
    }
    const mixed = logoutUrl({
      id_token_hint: tokens.id_token ?? '',
      client_id: crypto.randomUUID(),
    })
    expect((await open(server.current, user.refreshToken, mixed)).status).toBe(400)
    expect(await isSignedIn(user.accessToken)).toBe(true)
  })

  test('without a redirect URI the page says that the user is signed out', async () => {
    const { user, tokens } = await signedIn()
    const logout = logoutUrl({ id_token_hint: tokens.id_token ?? '' })
    const page = await open(server.current, user.refreshToken, logout)
    expect([page.status, page.text.includes('You are signed out')]).toEqual([200, true])
  })

  test('a posted request leads to the page, and another site cannot confirm it', async () => {
    const { user } = await signedIn()
    const { url } = logoutUrl({ state: 'x' })
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://planner.example.com',
    }
    const body = url.searchParams.toString()
    const posted = await request(server.current, 'POST', url.pathname, { headers, body })
    expect([posted.status, posted.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(`${url.pathname}?`),
    ])
    const forged = await request(server.current, 'POST', CONFIRM, {
      headers,
      body: 'decision=sign_out',
      cookie: user.refreshToken,
    })
    expect(forged.status).toBe(403)
    expect(await isSignedIn(user.accessToken)).toBe(true)
  })
})
