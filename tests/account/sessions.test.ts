import { describe, expect, test } from 'bun:test'
import { createPublicKey } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose'
import {
  type Answer,
  cookieValue,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { readSigningKey, reSign } from '../harness/signing-keys.ts'

const SECRET = 'a-secret-of-at-least-32-characters!'
const ORIGIN = 'https://app.example.com'
const server = useServer({ SVC_AUTH_SECRET: SECRET, SVC_FRONTEND_ORIGINS: ORIGIN })

const me = (token: string) => request(server.current, 'GET', '/api/auth/me', { token })
const refresh = (cookie?: string, headers: Record<string, string> = {}) =>
  request(server.current, 'POST', '/api/auth/refresh', { ...(cookie && { cookie }), headers })
const signOut = (cookie?: string, headers: Record<string, string> = {}) =>
  request(server.current, 'POST', '/api/auth/signout', { ...(cookie && { cookie }), headers })

/** A token that the server's own key signs, or the auth secret, with changed claims. */
const reSigned = async (
  token: string,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
) =>
  reSign(
    token,
    decodeProtectedHeader(token).alg === 'HS256'
      ? new TextEncoder().encode(SECRET)
      : await readSigningKey(server.current.database, SECRET),
    claims,
    header,
  )
const otherKey = async () => (await generateKeyPair('ES256')).privateKey

const refused = (detail = 'Could not validate credentials') => ({
  status: 401,
  body: { detail },
  challenge: 'Bearer',
})
const summaryOf = ({ status, body, headers }: Answer) => ({
  status,
  body,
  challenge: headers.get('www-authenticate'),
})

describe('access tokens', () => {
  test('a token signed with the key of the server is accepted', async () => {
    const user = await newUser(server.current)
    expect((await me(await reSigned(user.accessToken))).status).toBe(200)
  })

  test('an expired token is `Token expired`', async () => {
    const user = await newUser(server.current)
    const { iat = 0 } = decodeJwt(user.accessToken)
    const old = await reSigned(user.accessToken, { iat: iat - 3601, exp: iat - 1 })
    expect(summaryOf(await me(old))).toEqual(refused('Token expired'))
  })

  /** The public part of a key, which an algorithm confusion would make the secret of an HMAC. */
  const publicBytes = async (token: string, form: 'jwk' | 'coordinates' | 'spki') => {
    const { body } = await request(server.current, 'GET', '/.well-known/jwks.json')
    const { kid } = decodeProtectedHeader(token)
    const jwk = body.keys.find((key: { kid: string }) => key.kid === kid)
    if (form === 'jwk') return new TextEncoder().encode(JSON.stringify(jwk))
    if (form === 'coordinates') return new TextEncoder().encode(`${jwk.x}${jwk.y}`)
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    return new TextEncoder().encode(key.export({ type: 'spki', format: 'pem' }).toString())
  }

  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tampered: [string, (user: TestUser, other: TestUser) => string | Promise<string>][] = [
    ['signed with another key', async ({ accessToken }) => reSign(accessToken, await otherKey())],
    ['of a foreign kid', ({ accessToken }) => reSigned(accessToken, {}, { kid: 'deadbeef' })],
    ['of an unknown kid', ({ accessToken }) => reSigned(accessToken, {}, { kid: 'k'.repeat(43) })],
    [
      'of a kid of 300 characters',
      ({ accessToken }) => reSigned(accessToken, {}, { kid: 'k'.repeat(300) }),
    ],
    [
      'whose kid is a statement',
      ({ accessToken }) =>
        reSigned(accessToken, {}, { kid: `';drop table signing_keys;--${'k'.repeat(17)}` }),
    ],
    ['of another type', ({ accessToken }) => reSigned(accessToken, {}, { typ: 'JWT' })],
    ['without a kid', ({ accessToken }) => reSigned(accessToken, {}, { kid: undefined })],
    [
      'of HS512',
      ({ accessToken }) =>
        reSign(accessToken, new TextEncoder().encode(SECRET.repeat(2)), {}, { alg: 'HS512' }),
    ],
    ...(['jwk', 'coordinates', 'spki'] as const).map((form): (typeof tampered)[number] => [
      `of HS256 with the public key (${form}) as its secret`,
      async ({ accessToken }) =>
        reSign(accessToken, await publicBytes(accessToken, form), {}, { alg: 'HS256' }),
    ]),
    [
      'of another issuer',
      ({ accessToken }) => reSigned(accessToken, { iss: 'https://evil.example' }),
    ],
    ['for another audience', ({ accessToken }) => reSigned(accessToken, { aud: 'svc:partial' })],
    ['without an end', ({ accessToken }) => reSigned(accessToken, { exp: undefined })],
    [
      'of a session that is not there',
      ({ accessToken }) => reSigned(accessToken, { sid: crypto.randomUUID() }),
    ],
    [
      'of another user’s session',
      ({ accessToken }, other) => reSigned(accessToken, { sid: decodeJwt(other.accessToken).sid }),
    ],
    ['that is a refresh token', ({ refreshToken }) => refreshToken],
    ['without a signature', ({ accessToken }) => accessToken.split('.').slice(0, 2).join('.')],
    ['that is no token', () => 'abc'],
    [
      'of alg none',
      ({ accessToken }) =>
        `${base64({ ...decodeProtectedHeader(accessToken), alg: 'none' })}.${accessToken.split('.')[1]}.`,
    ],
    [
      'whose claims were changed',
      ({ accessToken }, other) => {
        const [header, , signature] = accessToken.split('.')
        return `${header}.${other.accessToken.split('.')[1]}.${signature}`
      },
    ],
  ]
  for (const [what, make] of tampered)
    test(`${what} is refused with WWW-Authenticate`, async () => {
      const [user, other] = await Promise.all([newUser(server.current), newUser(server.current)])
      expect(summaryOf(await me(await make(user, other)))).toEqual(refused())
    })

  test('a missing token, or another scheme, is 401', async () => {
    const user = await newUser(server.current)
    for (const authorization of [`Basic ${user.accessToken}`, 'Bearer', user.accessToken]) {
      const answer = await request(server.current, 'GET', '/api/auth/me', {
        headers: { authorization },
      })
      expect([answer.status, answer.body]).toEqual([
        401,
        { detail: 'Could not validate credentials' },
      ])
    }
  })
})

describe('the refresh cookie', () => {
  test('refreshing returns a new access token and rotates the cookie', async () => {
    const user = await newUser(server.current)
    const answer = await refresh(user.refreshToken)
    expect([answer.status, answer.body]).toEqual([
      200,
      { access_token: expect.any(String), token_type: 'bearer' },
    ])
    expect((await me(answer.body.access_token)).body.id).toBe(user.id)
    const next = cookieValue(answer.cookie)
    expect(next).not.toBe(user.refreshToken)
    expect((await refresh(next)).status).toBe(200)
  })

  test('the previous cookie stays valid while its successor is unused', async () => {
    const user = await newUser(server.current)
    await refresh(user.refreshToken)
    const again = await refresh(user.refreshToken)
    expect(again.status).toBe(200)
    expect((await refresh(cookieValue(again.cookie))).status).toBe(200)
  })

  test('an older cookie ends the session', async () => {
    const user = await newUser(server.current)
    const second = cookieValue((await refresh(user.refreshToken)).cookie)
    const third = await refresh(second)
    expect(summaryOf(await refresh(user.refreshToken))).toEqual(refused())
    expect((await refresh(cookieValue(third.cookie))).status).toBe(401)
    expect((await me(third.body.access_token)).status).toBe(401)
    expect((await me(user.accessToken)).status).toBe(401)
  })

  test("a replayed cookie does not end the user's other sessions", async () => {
    const user = await newUser(server.current)
    const elsewhere = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email: user.email, password: PASSWORD },
    })
    const second = cookieValue((await refresh(user.refreshToken)).cookie)
    await refresh(second)
    await refresh(user.refreshToken)
    expect((await me(elsewhere.body.access_token)).status).toBe(200)
  })

  test('twenty tabs that refresh in parallel stay signed in', async () => {
    const user = await newUser(server.current)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(user.refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    for (const { body } of answers) expect((await me(body.access_token)).status).toBe(200)
    expect((await refresh(cookieValue(answers[7]?.cookie))).status).toBe(200)
  })

  test('a missing cookie is 401; an invalid one is 401 with WWW-Authenticate', async () => {
    const user = await newUser(server.current)
    const missing = await refresh()
    expect([missing.status, missing.body]).toEqual([
      401,
      { detail: 'Could not validate credentials' },
    ])
    for (const cookie of [user.accessToken, 'abc', `${user.refreshToken}x`, user.key])
      expect(summaryOf(await refresh(cookie))).toEqual(refused())
  })

  test('an expired cookie is `Token expired`', async () => {
    const user = await newUser(server.current)
    const { iat = 0 } = decodeJwt(user.refreshToken)
    const old = await reSigned(user.refreshToken, { iat: iat - 100, exp: iat - 1 })
    expect(summaryOf(await refresh(old))).toEqual(refused('Token expired'))
  })

  test('the cookie is valid for a year', async () => {
    const { iat = 0, exp = 0 } = decodeJwt((await newUser(server.current)).refreshToken)
    expect(exp - iat).toBe(365 * 24 * 60 * 60)
  })

  test('the cookie is accepted only by its own endpoints', async () => {
    const { refreshToken: cookie } = await newUser(server.current)
    for (const path of ['/api/auth/me', '/api/me', '/api/memories', '/api/auth/api-keys'])
      expect((await request(server.current, 'GET', path, { cookie })).status).toBe(401)
  })
})

describe('signing out', () => {
  test('signing out ends the session and its access tokens and clears the cookie', async () => {
    const user = await newUser(server.current)
    const answer = await signOut(user.refreshToken)
    expect([answer.status, answer.body]).toEqual([200, { message: expect.any(String) }])
    expect(cookieValue(answer.cookie)).toBe('')
    expect(answer.cookie).toMatch(/Max-Age=0/i)
    expect(answer.cookie).toMatch(/Path=\/api\/auth/i)
    expect((await me(user.accessToken)).status).toBe(401)
    expect((await refresh(user.refreshToken)).status).toBe(401)
  })

  test('signing out without a cookie, or twice, is 200', async () => {
    const user = await newUser(server.current)
    for (const cookie of [undefined, 'abc', user.refreshToken, user.refreshToken])
      expect((await signOut(cookie)).status).toBe(200)
  })

  test('signing out keeps API keys and other sessions', async () => {
    const user = await newUser(server.current)
    const other = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email: user.email, password: PASSWORD },
    })
    await signOut(user.refreshToken)
    expect((await me(user.key)).status).toBe(200)
    expect((await me(other.body.access_token)).status).toBe(200)
  })
})

describe('pages of other origins', () => {
  const foreign = [
    'https://evil.example.com',
    'https://app.example.com.evil.example',
    'https://evil-app.example.com',
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://APP.example.com.',
    'null',
  ]
  for (const origin of foreign)
    test(`a page of ${origin} can neither use the cookie nor read a response`, async () => {
      const user = await newUser(server.current)
      for (const answer of [
        await refresh(user.refreshToken, { origin }),
        await signOut(user.refreshToken, { origin }),
      ]) {
        expect([answer.status, answer.body]).toEqual([403, { detail: 'Origin not allowed' }])
        expect(answer.headers.get('access-control-allow-origin')).toBeNull()
        expect(answer.cookie).toBeUndefined()
      }
      expect((await refresh(user.refreshToken)).status).toBe(200)
    })

  test('a page of an allow-listed origin or of the server can', async () => {
    const user = await newUser(server.current)
    for (const origin of [ORIGIN, server.current.baseUrl])
      expect((await refresh(user.refreshToken, { origin })).status).toBe(200)
  })
})

describe('CORS', () => {
  const preflight = (origin: string) =>
    request(server.current, 'OPTIONS', '/api/auth/refresh', {
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-org-id',
      },
    })

  test('an allow-listed origin may send credentials and read the request id', async () => {
    for (const answer of [
      await preflight(ORIGIN),
      await request(server.current, 'GET', '/api/health', { headers: { origin: ORIGIN } }),
      await request(server.current, 'GET', '/api/me', { headers: { origin: ORIGIN } }),
      await request(server.current, 'GET', '/api/nothing', { headers: { origin: ORIGIN } }),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN)
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
      expect(answer.headers.get('vary')).toContain('Origin')
      expect(answer.headers.get('access-control-expose-headers')).toContain('X-Request-ID')
    }
  })

  test('a preflight lists the methods and headers of the API', async () => {
    const answer = await preflight(ORIGIN)
    expect(answer.status).toBe(204)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect(answer.headers.get('access-control-allow-methods')).toContain(method)
    for (const header of ['Authorization', 'Content-Type', 'X-API-Key', 'X-Org-ID', 'X-Timezone'])
      expect(answer.headers.get('access-control-allow-headers')).toContain(header)
  })

  test('no other origin is allowed, similar ones neither', async () => {
    for (const origin of [
      'https://app.example.com.evil.example',
      'https://app.example.comevil.example',
      'https://xapp.example.com',
      'http://app.example.com',
      'null',
      '',
    ])
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBeNull()
  })
})
