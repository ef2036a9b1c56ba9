import { describe, expect, test } from 'bun:test'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { eventually } from '../harness/eventually.ts'
import { runSql, startRestartable } from '../harness/http.ts'
import {
  newUser,
  request,
  type TestServer,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import {
  PUBLISHED_MINUTES,
  passKeyTime,
  readSigningKey,
  reSign,
  VERIFIED_MINUTES,
} from '../harness/signing-keys.ts'

const SECRET = 'a-secret-of-at-least-32-characters!'
const ADMIN = 'admin@example.com'
const ORIGIN = 'https://app.example.com'
const ENV = {
  SVC_AUTH_SECRET: SECRET,
  SVC_ADMIN_EMAILS: ADMIN,
  SVC_FRONTEND_ORIGINS: ORIGIN,
}

const JWKS = '/.well-known/jwks.json'
const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''
const publishedKids = async (server: Pick<TestServer, 'url'>): Promise<string[]> =>
  (await request(server, 'GET', JWKS)).body.keys.map(({ kid }: { kid: string }) => kid)

/** An admin: the address of the configuration, verified. */
const newAdmin = async (server: TestServer): Promise<TestUser> => {
  const admin = await newUser(server, ADMIN)
  await runSql(server.database, `update users set email_verified = true where email = '${ADMIN}'`)
  return admin
}
const rotate = (server: TestServer, admin: TestUser, body: object = {}) =>
  request(server, 'POST', '/api/admin/signing-keys/rotate', { token: admin.accessToken, body })
const listed = async (server: TestServer, admin: TestUser) =>
  (await request(server, 'GET', '/api/admin/signing-keys', { token: admin.key })).body.keys
const me = (server: Pick<TestServer, 'url'>, token: string) =>
  request(server, 'GET', '/api/me', { token })
const refreshed = async (server: TestServer, cookie: string): Promise<string> =>
  (await request(server, 'POST', '/api/auth/refresh', { cookie })).body.access_token

describe('the key set', () => {
  const server = useServer(ENV)
  const keySet = (headers: Record<string, string> = {}) =>
    request(server.current, 'GET', JWKS, { headers })

  test('the key set has the public part of the key that signs, and nothing more', async () => {
    const { accessToken } = await newUser(server.current)
    const { status, body } = await keySet()
    expect(status).toBe(200)
    expect(body).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          x: expect.any(String),
          y: expect.any(String),
          kid: kidOf(accessToken),
        },
      ],
    })
  })

  test('the key set may be cached for five minutes, and an unchanged one is 304', async () => {
    const { headers } = await keySet()
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, text, headers } = await keySet({ 'if-none-match': known })
      expect([status, text, headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await keySet({ 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('scripts of every origin may read it', async () => {
    for (const origin of ['https://elsewhere.example', ORIGIN, 'null'])
      expect((await keySet({ origin })).headers.get('access-control-allow-origin')).toBe('*')
  })

  test('the metadata of the authorization server names it', async () => {
    const path = '/.well-known/oauth-authorization-server'
    const { body } = await request(server.current, 'GET', path)
    expect(body.jwks_uri).toBe(`${server.current.baseUrl}${JWKS}`)
  })

  test('an access token has the type and the claims of RFC 9068', async () => {
    const { accessToken, id } = await newUser(server.current)
    expect(decodeProtectedHeader(accessToken)).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(decodeJwt(accessToken)).toMatchObject({
      iss: server.current.baseUrl,
      aud: 'svc:access',
      sub: id,
      client_id: 'svc',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: expect.any(Number),
    })
  })

  test('a server whose clock differs by five minutes issues tokens that are valid here', async () => {
    const { accessToken } = await newUser(server.current)
    const key = await readSigningKey(server.current.database, SECRET)
    const { iat = 0, exp = 0 } = decodeJwt(accessToken)
    for (const skew of [300, -300]) {
      const token = await reSign(accessToken, key, { iat: iat + skew, exp: exp + skew })
      expect((await me(server.current, token)).status).toBe(200)
    }
  })
})

describe('the rotation of signing keys', () => {
  test('the next key is published before it signs, and the last verifies until its tokens end', async () => {
    await using restartable = await startRestartable(ENV)
    const server = restartable.current
    const admin = await newAdmin(server)
    const user = await newUser(server)
    const first = kidOf(user.accessToken)
    const answer = await rotate(server, admin, { reason: 'Yearly rotation.' })
    expect(answer.status).toBe(200)
    const next: string = answer.body.keys[0].kid
    expect(answer.body.keys.map(({ state }: { state: string }) => state)).toEqual([
      'next',
      'signing',
    ])
    expect(await publishedKids(server)).toEqual([first, next])
    expect(kidOf(await refreshed(server, user.refreshToken))).toBe(first)

    await passKeyTime(restartable.database, PUBLISHED_MINUTES)
    const second = await newUser(server)
    await eventually(async () => kidOf((await newUser(server)).accessToken) === next)
    expect((await me(server, user.accessToken)).status).toBe(200)
    expect((await me(server, second.accessToken)).status).toBe(200)
    expect(await publishedKids(server)).toEqual([first, next])

    await passKeyTime(restartable.database, VERIFIED_MINUTES)
    await eventually(async () => (await publishedKids(server)).length === 1)
    expect(await publishedKids(server)).toEqual([next])
    expect((await me(server, user.accessToken)).status).toBe(401)
    expect((await listed(server, admin)).map(({ state }: { state: string }) => state)).toEqual([
      'signing',
      'retired',
    ])
    // The session continues with a new token.
    const { body, status } = await request(server, 'POST', '/api/auth/refresh', {
      cookie: user.refreshToken,
    })
    expect([status, kidOf(body.access_token)]).toEqual([200, next])
  })

  test('a private key is erased when it does not sign any more, and its row after 90 days', async () => {
    await using restartable = await startRestartable(ENV)
    const admin = await newAdmin(restartable.current)
    await rotate(restartable.current, admin)
    const privateKeys = async () =>
      (
        await runSql(
          restartable.database,
          'select sealed_private_key is not null as has from signing_keys order by signs_from',
        )
      ).map(({ has }) => has)
    expect(await privateKeys()).toEqual([true, true])
    await passKeyTime(restartable.database, PUBLISHED_MINUTES + 6)
    // A start runs the retention rules.
    await restartable.restart()
    await eventually(async () => (await privateKeys())[0] === false)
    expect(await privateKeys()).toEqual([false, true])
    await passKeyTime(restartable.database, 91 * 24 * 60)
    await restartable.restart()
    await eventually(async () => (await privateKeys()).length === 1)
    expect(await privateKeys()).toEqual([true])
  })

  test('a rotation for a leaked key ends the others at once, and sessions continue', async () => {
    await using restartable = await startRestartable(ENV)
    const server = restartable.current
    const admin = await newAdmin(server)
    const user = await newUser(server)
    const leaked = await readSigningKey(restartable.database, SECRET)
    await rotate(server, admin)
    const { body, status } = await rotate(server, admin, { now: true, reason: 'It leaked.' })
    expect([status, body.keys.map(({ state }: { state: string }) => state)]).toEqual([
      200,
      ['signing', 'retired', 'retired'],
    ])
    expect((await me(server, user.accessToken)).status).toBe(401)
    expect((await me(server, await reSign(user.accessToken, leaked))).status).toBe(401)
    const token = await refreshed(server, user.refreshToken)
    expect(kidOf(token)).toBe(body.keys[0].kid)
    expect(await publishedKids(server)).toEqual([kidOf(token)])
    expect((await me(server, token)).status).toBe(200)
    expect((await me(server, user.key)).status).toBe(200)
    const rows = await runSql(
      restartable.database,
      'select count(*)::int as count from signing_keys where sealed_private_key is not null',
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  test('two concurrent rotations publish one key, and the second is 409', async () => {
    await using restartable = await startRestartable(ENV)
    const server = restartable.current
    const admin = await newAdmin(server)
    const answers = await Promise.all([rotate(server, admin), rotate(server, admin)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await publishedKids(server)).length).toBe(2)
    expect((await rotate(server, admin)).body).toEqual({
      detail: 'The next key is already published and signs soon',
    })
    const urgent = await Promise.all([1, 2].map(() => rotate(server, admin, { now: true })))
    expect(urgent.map(({ status }) => status).filter((status) => status !== 401)).toContain(200)
    expect((await publishedKids(server)).length).toBe(1)
  })

  test('admins rotate with a session only; the audit log has the key and the reason', async () => {
    await using restartable = await startRestartable(ENV)
    const server = restartable.current
    const admin = await newAdmin(server)
    const user = await newUser(server, uniqueEmail())
    expect((await rotate(server, user)).status).toBe(403)
    expect((await rotate(server, { ...admin, accessToken: admin.key })).status).toBe(403)
    const list = (token: string) => request(server, 'GET', '/api/admin/signing-keys', { token })
    expect((await list(user.accessToken)).status).toBe(403)
    for (const body of [{ now: 'yes' }, { reason: '' }, { reason: 'x'.repeat(501) }])
      expect((await rotate(server, admin, body)).status).toBe(422)
    expect((await publishedKids(server)).length).toBe(1)
    const { body } = await rotate(server, admin, { reason: 'Yearly rotation.' })
    const audit = await request(server, 'GET', '/api/auth/audit?limit=1', {
      token: admin.accessToken,
    })
    expect(audit.body.entries).toEqual([
      expect.objectContaining({
        action: 'signing_keys.rotated',
        subject: body.keys[0].kid,
        details: { now: false, reason: 'Yearly rotation.' },
      }),
    ])
    expect(JSON.stringify([body, await listed(server, admin)])).not.toContain('"d"')
  })
})

describe('access tokens of versions that signed with HS256', () => {
  const key = new TextEncoder().encode(SECRET)

  /** The token that such a version has issued for the session of a user. */
  const earlierToken = async ({ accessToken, refreshToken }: TestUser, secret = key) =>
    new SignJWT(decodeJwt(accessToken))
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: kidOf(refreshToken) })
      .sign(secret)

  test('tokens of HS256 are valid until they expire, for a day after the first key', async () => {
    await using restartable = await startRestartable(ENV)
    const user = await newUser(restartable.current)
    const token = await earlierToken(user)
    expect((await me(restartable.current, token)).status).toBe(200)
    expect(
      (await me(restartable.current, await earlierToken(user, new Uint8Array(32)))).status,
    ).toBe(401)
    await passKeyTime(restartable.database, 24 * 60)
    await restartable.restart()
    expect((await me(restartable.current, token)).status).toBe(401)
    expect((await me(restartable.current, user.accessToken)).status).toBe(200)
  })
})
