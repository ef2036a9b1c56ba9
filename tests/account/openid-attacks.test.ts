import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { person, startGithub, type TestProvider } from '../harness/oauth-provider.ts'
import {
  newSigningKey,
  OPENID_CLIENT,
  type ScriptedOpenId,
  startScriptedOpenId,
} from '../harness/scripted-openid.ts'
import { request, startServer, type TestServer } from '../harness/server.ts'
import { startWeb } from '../harness/web.ts'
import { failed, signedIn } from './oauth-sign-in-support.ts'
import { begin, follow, signInAt } from './openid-support.ts'

setDefaultTimeout(120_000)

const NAMES = [
  'main',
  'other',
  'slow',
  'huge',
  'moved',
  'liar',
  'script',
  'inside',
  'down',
] as const
type Name = (typeof NAMES)[number]

let opened:
  | { providers: Record<Name, ScriptedOpenId>; github: TestProvider; server: TestServer }
  | undefined
beforeAll(async () => {
  const started = NAMES.map(async (name) => [name, await startScriptedOpenId()] as const)
  const providers = Object.fromEntries(await Promise.all(started)) as Record<Name, ScriptedOpenId>
  const github = startGithub()
  const server = await startServer({
    SVC_FRONTEND_ORIGINS: 'https://app.example.com',
    ...github.env,
    ...Object.assign({}, ...NAMES.map((name) => providers[name].env(name.toUpperCase()))),
  })
  opened = { providers, github, server }
}, 120_000)
afterAll(async () => {
  await opened?.server.stop()
  await opened?.github[Symbol.asyncDispose]()
  for (const provider of Object.values(opened?.providers ?? {}))
    await provider[Symbol.asyncDispose]()
})
const running = () => {
  if (!opened) throw new Error('the server starts before the tests')
  return opened
}
const main = () => running().providers.main.script
afterEach(() => {
  Object.assign(main(), { claims: {}, redirect: {}, sign: undefined, answer: undefined })
})

const newClaims = (changes: Record<string, unknown> = {}) => {
  const { subject, email } = person()
  return { sub: subject, email, email_verified: true, ...changes }
}
const now = () => Math.floor(Date.now() / 1000)
const signIn = () => signInAt(running().server, 'main')
const secretKey = new TextEncoder().encode(OPENID_CLIENT.secret)

/** Signs in with these claims. @returns the query of the last redirect. */
const landingOf = async (changes: Record<string, unknown>) => {
  main().claims = newClaims(changes)
  const { answer, landing } = await signIn()
  expect(answer.cookie === undefined).toBe(landing.error !== undefined)
  return landing
}

describe('ID tokens', () => {
  test('a token of a provider that works signs in', async () => {
    expect(await landingOf({})).toEqual(signedIn(true))
  })

  for (const [title, changes] of Object.entries({
    'with another nonce': { nonce: 'another' },
    'without a nonce': { nonce: undefined },
    'of another issuer': { iss: 'https://issuer.example' },
    'for another client': { aud: 'another client' },
    'without a subject': { sub: undefined },
    'with a subject of 300 characters': { sub: 's'.repeat(300) },
    'with a session id of 300 characters': { sid: 's'.repeat(300) },
  }))
    test(`an ID token ${title} is refused`, async () => {
      expect(await landingOf(changes)).toEqual(failed('provider_error'))
    })

  test('an ID token with ids of 255 characters signs in', async () => {
    const { subject } = person()
    const changes = { sub: subject.padEnd(255, 's'), sid: 's'.repeat(255) }
    expect(await landingOf(changes)).toEqual(signedIn(true))
  })

  const forgeries: Record<string, (claims: Record<string, unknown>) => Promise<string>> = {
    'without a signature': async (claims) => new UnsecuredJWT(claims).encode(),
    'signed with the client secret': (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secretKey),
    'signed with a key that the provider does not publish': async (claims) => {
      const { kid, privateKey } = await newSigningKey()
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
    },
    'signed with another key under a published id': async (claims) => {
      const { privateKey } = await newSigningKey()
      const { kid } = main().key
      return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
    },
  }
  for (const [title, sign] of Object.entries(forgeries))
    test(`an ID token ${title} is refused`, async () => {
      main().sign = sign
      expect(await landingOf({})).toEqual(failed('provider_error'))
    })

  test('an ID token is accepted if the clocks differ by half a minute, and refused at five minutes', async () => {
    expect(await landingOf({ exp: now() - 30 })).toEqual(signedIn(true))
    expect(await landingOf({ iat: now() + 30, exp: now() + 330 })).toEqual(signedIn(true))
    expect(await landingOf({ iat: now() - 600, exp: now() - 300 })).toEqual(failed('clock_skew'))
    expect(await landingOf({ iat: now() + 300, exp: now() + 600 })).toEqual(failed('clock_skew'))
    const page = await request(running().server, 'GET', '/auth/callback?error=clock_skew')
    expect(page.text).toContain('The clocks of the provider and of this server differ')
  })
})

describe('keys', () => {
  test('a new key is found at once, and a key that was replaced is refused', async () => {
    const { key } = main()
    expect(await landingOf({})).toEqual(signedIn(true))
    const next = await newSigningKey()
    Object.assign(main(), { key: next, keys: [next.jwk] })
    expect(await landingOf({})).toEqual(signedIn(true))
    main().key = key
    expect(await landingOf({})).toEqual(failed('provider_error'))
    main().key = next
    expect(await landingOf({})).toEqual(signedIn(true))
  })

  test('a thousand keys are read, and a list of more than 1 MiB is not', async () => {
    const next = await newSigningKey()
    const others = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ ...next.jwk, kid: `key-${i}` }))
    Object.assign(main(), { key: next, keys: [...others(1_000), next.jwk] })
    expect(await landingOf({})).toEqual(signedIn(true))
    const last = await newSigningKey()
    Object.assign(main(), { key: last, keys: [...others(4_000), last.jwk] })
    expect(await landingOf({})).toEqual(failed('provider_error'))
    main().keys = [last.jwk]
    expect(await landingOf({})).toEqual(signedIn(true))
  })
})

describe('callbacks', () => {
  test('a callback without the issuer that the provider announces, or of another one, is refused', async () => {
    main().redirect = { iss: undefined }
    expect(await landingOf({})).toEqual(failed('provider_error'))
    main().redirect = { iss: running().providers.other.issuer }
    expect(await landingOf({})).toEqual(failed('provider_error'))
  })

  test('a callback with the state of a sign-in through another provider is refused', async () => {
    const { server, providers } = running()
    const { authorizeUrl, cookie } = await begin(server, 'main')
    const state = new URL(authorizeUrl).searchParams.get('state') ?? ''
    providers.other.script.claims = newClaims()
    const query = new URLSearchParams({ code: 'any', state, iss: providers.other.issuer })
    const path = `/api/auth/oauth/other/callback?${query}`
    const answer = await request(server, 'GET', path, { headers: { cookie } })
    expect([answer.status, answer.body.detail]).toEqual([400, 'Invalid state'])
  })

  test('a callback whose state was used already is refused', async () => {
    const { server } = running()
    main().claims = newClaims()
    const { authorizeUrl, cookie } = await begin(server, 'main')
    const redirect = await fetch(authorizeUrl, { redirect: 'manual' })
    const callback = new URL(redirect.headers.get('location') ?? '')
    expect((await follow(server, callback, cookie)).landing).toEqual(signedIn(true))
    expect((await follow(server, callback, cookie)).landing).toEqual(failed('invalid_state'))
  })
})

describe('a provider whose metadata cannot be used is unreachable', () => {
  const authorize = (name: Name) =>
    request(running().server, 'GET', `/api/auth/oauth/${name}/authorize`)
  const unreachable = [503, { detail: 'The provider cannot be reached' }]

  test('because it is down, until it is up again, and the others work', async () => {
    const { script } = running().providers.down
    script.answer = () => new Response('down', { status: 502 })
    const { status, body } = await authorize('down')
    expect([status, body]).toEqual(unreachable)
    expect((await authorize('main')).status).toBe(200)
    const github = await request(running().server, 'GET', '/api/auth/oauth/github/authorize')
    expect(github.status).toBe(200)
    const page = await request(running().server, 'GET', '/api/auth/oauth/down/start')
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining('The provider cannot be reached'),
    ])
    script.answer = undefined
    expect((await authorize('down')).status).toBe(200)
  })

  test('because it does not answer within ten seconds', async () => {
    running().providers.slow.script.answer = () => new Promise(() => {})
    const { status, body } = await authorize('slow')
    expect([status, body]).toEqual(unreachable)
  })

  test('because the document is larger than 1 MiB', async () => {
    running().providers.huge.script.metadata = { padding: 'x'.repeat(2 * 1024 * 1024) }
    const { status, body } = await authorize('huge')
    expect([status, body]).toEqual(unreachable)
  })

  test('because it redirects, and the target is not requested', async () => {
    const { moved, other } = running().providers
    const before = other.requests.length
    moved.script.answer = () => Response.redirect(`${other.issuer}/private`)
    const { status, body } = await authorize('moved')
    expect([status, body]).toEqual(unreachable)
    expect(other.requests).toHaveLength(before)
  })

  test('because it names another issuer', async () => {
    const { liar, main } = running().providers
    liar.script.metadata = { issuer: main.issuer }
    const { status, body } = await authorize('liar')
    expect([status, body]).toEqual(unreachable)
  })

  test('because the page to open is a script, or another server by plain HTTP', async () => {
    const { script } = running().providers.script
    for (const authorization_endpoint of ['javascript:alert(1)', 'http://sso.example.com/']) {
      script.metadata = { authorization_endpoint }
      const { status, body } = await authorize('script')
      expect([status, body]).toEqual(unreachable)
    }
  })

  test('the endpoints of a provider at another, private address are not requested', async () => {
    const { server, providers } = running()
    providers.inside.script.claims = newClaims()
    providers.inside.script.metadata = { token_endpoint: 'https://127.0.0.1:8443/token' }
    expect((await signInAt(server, 'inside')).landing).toEqual(failed('provider_error'))
    expect(server.log.join('')).toContain('There is no public web server at this address')
  })
})

test('the endpoints of a provider at another, public address are requested with the whole exchange', async () => {
  await using web = await startWeb()
  await using provider = await startScriptedOpenId()
  const requested: string[] = []
  const host = web.secureSite(async (asked) => {
    const { pathname } = new URL(asked.url)
    requested.push(`${asked.method} ${pathname}`)
    const isPost = asked.method === 'POST'
    const body = isPost ? new URLSearchParams(await asked.text()) : undefined
    return fetch(`${provider.issuer}${pathname}`, { method: asked.method, ...(body && { body }) })
  })
  provider.script.claims = newClaims()
  provider.script.metadata = {
    token_endpoint: `https://${host}/token`,
    jwks_uri: `https://${host}/jwks`,
  }
  const env = { SVC_FRONTEND_ORIGINS: 'https://app.example.com', ...provider.env('FAR') }
  await using server = await startServer(env, undefined, { fetching: web.fetching })
  expect((await signInAt(server, 'far')).landing).toEqual(signedIn(true))
  expect(requested).toEqual(['POST /token', 'GET /jwks'])
})
