import { describe, expect, test } from 'bun:test'
import { EncryptJWT, jwtDecrypt } from 'jose'
import type { OAuthProvider } from '../../shared/schemas/oauth.ts'
import { person, startGithub } from '../harness/oauth-provider.ts'
import { newUser, request, startServer } from '../harness/server.ts'
import {
  APP,
  browserCookieOf,
  failed,
  landingOf,
  STATE_KEY,
  signedIn,
  useProviders,
} from './oauth-support.ts'

const suite = useProviders()
const { authorize, setOut, comeBack, signInWith } = suite

/** The same state, sealed again with our secret, save for what is changed. */
const resealed = async (state: string, claims: Record<string, unknown>, key = STATE_KEY) => {
  const { payload } = await jwtDecrypt(state, STATE_KEY)
  return new EncryptJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key)
}

/** Somebody who agreed and is on their way back. */
const onTheWay = async (name: OAuthProvider = 'github', who = person()) => {
  const { authorizeUrl, cookie } = await setOut(name)
  return { callback: await suite.providers[name].agree(authorizeUrl, who), cookie }
}
const withState = async (callback: URL, change: (state: string) => string | Promise<string>) => {
  const changed = new URL(callback)
  changed.searchParams.set('state', await change(callback.searchParams.get('state') ?? ''))
  return changed
}

describe('a state', () => {
  test('that comes back fifty times at once signs in once', async () => {
    const { callback, cookie } = await onTheWay()
    const answers = await Promise.all(Array.from({ length: 50 }, () => comeBack(callback, cookie)))
    const landings = answers.map(landingOf)
    expect(landings.filter(({ token }) => token)).toEqual([signedIn(true)])
    expect(landings.filter(({ token }) => !token)).toEqual(
      Array.from({ length: 49 }, () => failed('invalid_state')),
    )
    expect(answers.filter((answer) => answer.cookie)).toHaveLength(1)
  })

  test('that was spent on a failure is spent', async () => {
    const { callback, cookie } = await onTheWay()
    const denied = new URL(callback)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    expect(landingOf(await comeBack(denied, cookie))).toEqual(failed('access_denied'))
    expect(landingOf(await comeBack(callback, cookie))).toEqual(failed('invalid_state'))
  })

  test('in another browser, with no cookie or one of its own, signs nobody in', async () => {
    const { callback, cookie } = await onTheWay()
    const stranger = await setOut('github')
    for (const other of ['', 'oauth_browser=', stranger.cookie, `${cookie}x`]) {
      const answer = await comeBack(callback, other)
      expect(landingOf(answer)).toEqual(failed('invalid_state'))
      expect(answer.cookie).toBeUndefined()
    }
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('of one tab stays good while another tab sets out too', async () => {
    const { callback, cookie } = await onTheWay()
    const again = await authorize('google', {}, { headers: { cookie } })
    expect(browserCookieOf(again).split(';')[0]).toBe(cookie)
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('that is ten minutes old is refused', async () => {
    const now = () => Math.floor(Date.now() / 1000)
    const sealed = async (exp: number) => {
      const { callback, cookie } = await onTheWay()
      return comeBack(await withState(callback, (state) => resealed(state, { exp })), cookie)
    }
    expect(landingOf(await sealed(now() - 1))).toEqual(failed('invalid_state'))
    const before = now()
    const { callback } = await onTheWay()
    const { payload } = await jwtDecrypt(callback.searchParams.get('state') ?? '', STATE_KEY)
    expect(payload.exp).toBeWithin(before + 599, now() + 602)
  })

  test('that is missing, changed, or not of our making is 400: it names nowhere to go', async () => {
    const { callback, cookie } = await onTheWay()
    const { accessToken } = await newUser(suite.server)
    const otherKey = new Uint8Array(32).fill(7)
    const changes: [string, (state: string) => string | Promise<string>][] = [
      ['empty', () => ''],
      ['no state', () => 'state'],
      ['an access token', () => accessToken],
      ['cut short', (state) => state.slice(0, -1)],
      ['with another end', (state) => `${state.slice(0, -4)}AAAA`],
      ['with another header', (state) => `eyJhbGciOiJub25lIn0${state.slice(state.indexOf('.'))}`],
      ['sealed with another key', (state) => resealed(state, {}, otherKey)],
      ['of another provider', (state) => resealed(state, { sub: 'google' })],
      ['for an origin off the list', (state) => resealed(state, { o: 'https://evil.example' })],
      ['for a look-alike', (state) => resealed(state, { o: `${APP}.evil.example` })],
    ]
    for (const [what, change] of changes) {
      const answer = await comeBack(await withState(callback, change), cookie)
      expect([what, answer.status, answer.body]).toEqual([what, 400, { detail: 'Invalid state' }])
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.cookie).toBeUndefined()
    }
    const missing = new URL(callback)
    missing.searchParams.delete('state')
    expect((await comeBack(missing, cookie)).status).toBe(400)
    expect(landingOf(await comeBack(callback, cookie))).toEqual(signedIn(true))
  })

  test('of one provider is not taken from another', async () => {
    const { callback, cookie } = await onTheWay('github')
    const moved = new URL(callback)
    moved.pathname = moved.pathname.replace('github', 'twitter')
    const { status, body } = await comeBack(moved, cookie)
    expect([status, body]).toEqual([400, { detail: 'Invalid state' }])
  })

  test('does not lend itself to somebody else’s code', async () => {
    const [mine, theirs] = [await onTheWay(), await onTheWay()]
    mine.callback.searchParams.set('code', theirs.callback.searchParams.get('code') ?? '')
    expect(landingOf(await comeBack(mine.callback, mine.cookie))).toEqual(failed('provider_error'))
  })
})

describe('a provider', () => {
  test('whose ID token carries another nonce, or another issuer, is not believed', async () => {
    for (const mishap of ['another nonce', 'another issuer'] as const)
      expect((await signInWith('google', person({ mishap }))).landing).toEqual(
        failed('provider_error'),
      )
  })

  test('that names itself otherwise in the callback is not believed (RFC 9207)', async () => {
    const { callback, cookie } = await onTheWay('google')
    callback.searchParams.set('iss', 'https://issuer.example')
    expect(landingOf(await comeBack(callback, cookie))).toEqual(failed('provider_error'))
  })

  test('that refuses, or reports what we do not know, is told in a word that we know', async () => {
    for (const [error, told] of [
      ['access_denied', 'access_denied'],
      ['server_error', 'provider_error'],
      ['<script>', 'provider_error'],
    ] as const) {
      const { callback, cookie } = await onTheWay()
      callback.searchParams.delete('code')
      callback.searchParams.set('error', error)
      expect(landingOf(await comeBack(callback, cookie))).toEqual(failed(told))
    }
    const { callback, cookie } = await onTheWay()
    callback.searchParams.delete('code')
    expect(landingOf(await comeBack(callback, cookie))).toEqual(failed('provider_error'))
  })

  test('that fails when it is asked who somebody is signs nobody in', async () => {
    const mishap = 'the user endpoint fails'
    for (const [name, who] of [
      ['github', person({ mishap })],
      ['twitter', person({ mishap })],
      ['google', person({ mishap, emailIn: 'userinfo' })],
    ] as const) {
      const { landing, answer } = await signInWith(name, who)
      expect(landing).toEqual(failed('provider_error'))
      expect(answer.cookie).toBeUndefined()
    }
  })

  test('that refuses tells the operator why in the log, in a word and not in a sentence', async () => {
    const logged = async (mishap: () => Promise<unknown>) => {
      const before = suite.server.log.length
      await mishap()
      return suite.server.log.slice(before).find((line) => line.includes('OAuth sign-in failed'))
    }
    const refusing = person({ mishap: 'no code is good' })
    expect(await logged(() => signInWith('github', refusing))).toContain(
      'the provider answered invalid_grant',
    )
    const failing = person({ mishap: 'the user endpoint fails' })
    expect(await logged(() => signInWith('github', failing))).toContain(
      'user endpoint answered 500',
    )
    const { callback, cookie } = await onTheWay()
    callback.searchParams.delete('code')
    callback.searchParams.set('error', 'Somebody wrote this')
    expect(await logged(() => comeBack(callback, cookie))).not.toContain('Somebody')
  })

  test('that is down when somebody comes back signs nobody in', async () => {
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
    expect(landingOf(answer)).toEqual(failed('provider_error'))
  })
})
