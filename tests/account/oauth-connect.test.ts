import { describe, expect, test } from 'bun:test'
import { person } from '../harness/oauth-provider.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'
import { browserCookieOf, redirectOf, useProviders } from './oauth-sign-in-support.ts'

const suite = useProviders()

/** Starts to connect GitHub, consents as `who`, and returns to the callback with the cookies of a browser. */
const connect = async (user: TestUser, who = person(), refreshToken = user.refreshToken) => {
  const begun = await request(suite.server, 'POST', '/api/auth/oauth/github/connect', {
    token: user.accessToken,
  })
  expect(begun.status).toBe(200)
  const callback = await suite.providers.github.agree(begun.body.authorize_url, who)
  const browser = browserCookieOf(begun).split(';')[0]
  const answer = await suite.followCallback(callback, `${browser}; refresh_token=${refreshToken}`)
  expect(answer.cookie).toBeUndefined()
  const { status, at, ...query } = redirectOf(answer)
  expect([status, at]).toEqual([302, `${suite.server.baseUrl}/app/settings/connections`])
  return query
}

const providersOf = async (user: TestUser) =>
  (await suite.connections(user.accessToken)).body.map(
    ({ provider }: { provider: string }) => provider,
  )

test('the configured providers are listed without a credential', async () => {
  const { status, body } = await request(suite.server, 'GET', '/api/auth/oauth/providers')
  expect([status, body]).toEqual([
    200,
    {
      providers: [
        { name: 'google', label: 'Google' },
        { name: 'github', label: 'GitHub' },
        { name: 'twitter', label: 'X (Twitter)' },
      ],
    },
  ])
})

describe('connecting a provider to a signed-in account', () => {
  test('an account at a provider with another address is connected, and signs in from then on', async () => {
    const user = await newUser(suite.server)
    const who = person({ verified: false })
    expect(await connect(user, who)).toEqual({ connected: 'github' })
    expect(await connect(user, who)).toEqual({ connected: 'github' })
    expect(await providersOf(user)).toEqual(['github'])
    const signedIn = await suite.me(await suite.tokenOf('github', who))
    expect(signedIn.email).toBe(user.email)
    const path = '/api/auth/audit?action=provider'
    const audit = await request(suite.server, 'GET', path, { token: user.accessToken })
    expect(audit.body.entries).toMatchObject([
      { action: 'provider.connected', details: { provider: 'github' } },
    ])
  })

  test('an account at a provider that is connected elsewhere is refused', async () => {
    const who = person()
    await connect(await newUser(suite.server), who)
    const other = await newUser(suite.server)
    expect(await connect(other, who)).toEqual({ error: 'connected_elsewhere' })
    expect(await providersOf(other)).toEqual([])
  })

  test('a session that ended, or of another user, connects nothing', async () => {
    const [user, other] = [await newUser(suite.server), await newUser(suite.server)]
    expect(await connect(user, person(), other.refreshToken)).toEqual({ error: 'session_ended' })
    expect(await connect(user, person(), 'none')).toEqual({ error: 'session_ended' })
    expect(await providersOf(user)).toEqual([])
  })

  test('a provider that is not configured is refused', async () => {
    const user = await newUser(suite.server)
    const answer = await request(suite.server, 'POST', '/api/auth/oauth/other/connect', {
      token: user.accessToken,
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      { detail: 'Unknown provider, or not configured' },
    ])
  })
})
