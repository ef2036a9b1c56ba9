import { expect } from 'bun:test'
import { request, type TestServer } from '../harness/server.ts'
import { APP, browserCookieOf, redirectOf } from './oauth-sign-in-support.ts'

type Server = Pick<TestServer, 'url'>

/** Starts a sign-in through a provider. @returns where the browser goes, and its cookie. */
export const begin = async (server: Server, name: string, origin = APP) => {
  const query = origin ? `?${new URLSearchParams({ frontend_origin: origin })}` : ''
  const answer = await request(server, 'GET', `/api/auth/oauth/${name}/authorize${query}`)
  expect([answer.status, answer.body.detail]).toEqual([200, undefined])
  return {
    authorizeUrl: answer.body.authorize_url as string,
    cookie: browserCookieOf(answer).split(';')[0] ?? '',
  }
}

export const follow = async (server: Server, callback: URL, cookie: string) => {
  const path = `${callback.pathname}${callback.search}`
  const answer = await request(server, 'GET', path, { headers: { cookie } })
  return { answer, landing: redirectOf(answer) }
}

/** Signs in at a provider that redirects at once. */
export const signInAt = async (server: Server, name: string, origin = APP) => {
  const { authorizeUrl, cookie } = await begin(server, name, origin)
  const redirect = await fetch(authorizeUrl, { redirect: 'manual' })
  return follow(server, new URL(redirect.headers.get('location') ?? ''), cookie)
}

export const logOutAt = (server: Server, name: string, logoutToken: string) =>
  request(server, 'POST', `/api/auth/oauth/${name}/backchannel-logout`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: logoutToken }).toString(),
  })

/** Whether an access token still opens its account. */
export const isSignedIn = async (server: Server, token: string | undefined) =>
  (await request(server, 'GET', '/api/auth/me', { token: token ?? '' })).status === 200
