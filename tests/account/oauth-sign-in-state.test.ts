import { describe, expect, test } from 'bun:test'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'
import { person, startGithub } from '../harness/oauth-provider.ts'
import { newUser, request, startServer } from '../harness/server.ts'
import {
  APP,
  browserCookieOf,
  failed,
  redirectOf,
  STATE_KEY,
  signedIn,
  useProviders,
} from './oauth-sign-in-support.ts'

const suite = useProviders()
const { authorize, beginSignIn, followCallback, signInWith } = suite

/** A state sealed again with changed claims. */
const reseal = async (
  state: string,
  claims: Record<string, unknown>,
  key: Uint8Array = STATE_KEY,
) => {
  const { payload } = await jwtDecrypt(state, STATE_KEY)
  return new EncryptJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key)
}

/** The callback URL after consent, with the browser's cookie. */
const newCallback = async (name: OAuthProvider = 'github', identity = person()) => {
  const { authorizeUrl, cookie } = await beginSignIn(name)
  return { callback: await suite.providers[name].agree(authorizeUrl, identity), cookie }
}
const withState = async (callback: URL, change: (state: string) => string | Promise<string>) => {
  const changed = new URL(callback)
  changed.searchParams.set('state', await change(callback.searchParams.get('state') ?? ''))
  return changed
}

describe('the state parameter', () => {
  test('fifty parallel callbacks with one state sign in once', async () => {
    const { callback, cookie } = await newCallback()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => followCallback(callback, cookie)),
    )
    const landings = answers.map(redirectOf)
    expect(landings.filter(({ token }) => token)).toEqual([signedIn(true)])
    expect(landings.filter(({ token }) => !token)).toEqual(
      Array.from({ length: 49 }, () => failed('invalid_state')),
    )
    expect(answers.filter((answer) => answer.cookie)).toHaveLength(1)
  })

  test('a state is consumed by a failed sign-in', async () => {
    const { callback, cookie } = await newCallback()
    const denied = new URL(callback)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(redirectOf(await followCallback(denied, cookie))).toEqual(failed('access_denied'))
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(failed('invalid_state'))
  })

  test('a callback in another browser is refused', async () => {
    const { callback, cookie } = await newCallback()
    const otherSignIn = await beginSignIn('github')
    for (const other of ['', 'oauth_browser=', otherSignIn.cookie, `${cookie}x`]) {
      const answer = await followCallback(callback, other)
      expect(redirectOf(answer)).toEqual(failed('invalid_state'))
      expect(answer.cookie).toBeUndefined()
    }
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(signedIn(true))
  })

  test('a second tab does not invalidate the state of the first', async () => {
    const { callback, cookie } = await newCallback()
    const again = await authorize('google', {}, { headers: { cookie } })
    expect(browserCookieOf(again).split(';')[0]).toBe(cookie)
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(signedIn(true))
  })

  test('a state expires after ten minutes', async () => {
    const now = () => Math.floor(Date.now() / 1000)
    const sealed = async (exp: number) => {
      const { callback, cookie } = await newCallback()
      return followCallback(await withState(callback, (state) => reseal(state, { exp })), cookie)
    }
    expect(redirectOf(await sealed(now() - 1))).toEqual(failed('invalid_state'))
    const before = now()
    const { callback } = await newCallback()
    const { payload } = await jwtDecrypt(callback.searchParams.get('state') ?? '', STATE_KEY)
    expect(payload.exp).toBeWithin(before + 599, now() + 602)
  })

  test('a missing, changed or foreign state is 400', async () => {
    const { callback, cookie } = await newCallback()
    const { accessToken } = await newUser(suite.server)
    const otherKey = new Uint8Array(32).fill(7)
    const changes: [string, (state: string) => string | Promise<string>][] = [
      ['empty', () => ''],
      ['no state', () => 'state'],
      ['an access token', () => accessToken],
      ['cut short', (state) => state.slice(0, -1)],
      ['with another end', (state) => `${state.slice(0, -4)}AAAA`],
      ['with another header', (state) => `eyJhbGciOiJub25lIn0${state.slice(state.indexOf('.'))}`],
      ['sealed with another key', (state) => reseal(state, {}, otherKey)],
      ['of another provider', (state) => reseal(state, { sub: 'google' })],
      ['for an origin off the list', (state) => reseal(state, { o: 'https://evil.example' })],
      ['for a look-alike', (state) => reseal(state, { o: `${APP}.evil.example` })],
    ]
    for (const [what, change] of changes) {
      const answer = await followCallback(await withState(callback, change), cookie)
      expect([what, answer.status, answer.body]).toEqual([what, 400, { detail: 'Invalid state' }])
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.cookie).toBeUndefined()
    }
    const missing = new URL(callback)
    missing.searchParams.delete('state')
    expect((await followCallback(missing, cookie)).status).toBe(400)
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(signedIn(true))
  })

  test('a person without a valid state sees a page', async () => {
    const { callback, cookie } = await newCallback()
    const cases: [string, Record<string, string | null>, string][] = [
      ['no state', { state: null }, 'invalid_state'],
      ['an empty state', { state: '' }, 'invalid_state'],
      ['a changed state', { state: 'state' }, 'invalid_state'],
      ['a refusal without a state', { state: null, error: 'access_denied' }, 'access_denied'],
      ['another error without a state', { state: null, error: 'server_error' }, 'invalid_state'],
    ]
    for (const [name, changes, error] of cases) {
      const url = new URL(callback)
      for (const [key, value] of Object.entries(changes))
        value === null ? url.searchParams.delete(key) : url.searchParams.set(key, value)
      const headers = { accept: 'text/html,application/xhtml+xml', cookie }
      const answer = await fetch(url, { headers, redirect: 'manual' })
      const location = new URL(answer.headers.get('location') ?? '')
      expect([name, answer.status, location.searchParams.get('error')]).toEqual([name, 302, error])
      const page = await fetch(location, { headers })
      expect([name, page.headers.get('content-type')]).toEqual([
        ...[name, 'text/html; charset=utf-8'],
      ])
      expect(await page.text()).toContain('Not signed in')
    }
  })

  test('a state of another provider is refused', async () => {
    const { callback, cookie } = await newCallback('github')
    const moved = new URL(callback)
    moved.pathname = moved.pathname.replace('github', 'twitter')
    const { status, body } = await followCallback(moved, cookie)
    expect([status, body]).toEqual([400, { detail: 'Invalid state' }])
  })

  test('a state is refused with the code of another sign-in', async () => {
    const [mine, theirs] = [await newCallback(), await newCallback()]
    mine.callback.searchParams.set('code', theirs.callback.searchParams.get('code') ?? '')
    expect(redirectOf(await followCallback(mine.callback, mine.cookie))).toEqual(
      failed('provider_error'),
    )
  })
})

describe('responses of a provider', () => {
  test('an ID token with another nonce or issuer is refused', async () => {
    for (const mishap of ['another nonce', 'another issuer'] as const)
      expect((await signInWith('google', person({ mishap }))).landing).toEqual(
        failed('provider_error'),
      )
  })

  test('a callback with another issuer is refused (RFC 9207)', async () => {
    const { callback, cookie } = await newCallback('google')
    callback.searchParams.set('iss', 'https://issuer.example')
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(failed('provider_error'))
  })

  test('known and unknown provider errors are mapped to a fixed set', async () => {
    for (const [error, expected] of [
      ['access_denied', 'access_denied'],
      ['server_error', 'provider_error'],
      ['<script>', 'provider_error'],
    ] as const) {
      const { callback, cookie } = await newCallback()
      callback.searchParams.delete('code')
      callback.searchParams.set('error', error)
      expect(redirectOf(await followCallback(callback, cookie))).toEqual(failed(expected))
    }
    const { callback, cookie } = await newCallback()
    callback.searchParams.delete('code')
    expect(redirectOf(await followCallback(callback, cookie))).toEqual(failed('provider_error'))
  })

  test('a failing user endpoint fails the sign-in', async () => {
    const mishap = 'the user endpoint fails'
    for (const [name, identity] of [
      ['github', person({ mishap })],
      ['twitter', person({ mishap })],
      ['google', person({ mishap, emailIn: 'userinfo' })],
    ] as const) {
      const { landing, answer } = await signInWith(name, identity)
      expect(landing).toEqual(failed('provider_error'))
      expect(answer.cookie).toBeUndefined()
    }
  })

  test('the error code of a provider is logged, its description is not', async () => {
    const logged = async (mishap: () => Promise<unknown>) => {
      const before = suite.server.log.length
      await mishap()
      return suite.server.log.slice(before).find((line) => line.includes('OAuth sign-in failed'))
    }
    const refusing = person({ mishap: 'no code is good' })
    expect(await logged(() => signInWith('github', refusing))).toContain(
      'the provider returned invalid_grant',
    )
    const failing = person({ mishap: 'the user endpoint fails' })
    expect(await logged(() => signInWith('github', failing))).toContain(
      'user endpoint of the provider returned 500',
    )
    const { callback, cookie } = await newCallback()
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'Stranger wrote this')
    expect(await logged(() => followCallback(callback, cookie))).not.toContain('Stranger')
  })

  test('an unreachable provider fails the callback', async () => {
    await using github = startGithub()
    await using other = await startServer({ ...github.env, SVC_FRONTEND_ORIGINS: APP })
    const out = await request(
      other,
      'GET',
      `/api/auth/oauth/github/authorize?${new URLSearchParams({ frontend_origin: APP })}`,
    )
    const callback = await github.agree(out.body.authorize_url, person())
    await github[Symbol.asyncDispose]()
    const answer = await request(other, 'GET', `${callback.pathname}${callback.search}`, {
      headers: { cookie: browserCookieOf(out).split(';')[0] ?? '' },
    })
    expect(redirectOf(answer)).toEqual(failed('provider_error'))
  })
})
