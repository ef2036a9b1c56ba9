import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { decodeProtectedHeader, SignJWT } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { runSql } from '../harness/http.ts'
import { cookieValue, newUser, PASSWORD, request, type TestUser } from '../harness/server.ts'
import { backupOf } from './schema-fixture.ts'
import {
  admin,
  adminJson,
  embeddedPlace,
  operate,
  type Place,
  preparedPlace,
  refusalOf,
  scratch,
  serverPlace,
  startedPlace,
  withServer,
} from './support.ts'

setDefaultTimeout(300_000)

const OLD = 'the first secret of a deployment, 48 characters.'
const NEW = 'another secret of a deployment, with characters.'
const BASE = { SVC_BASE_URL: 'http://svc.test' }

type Server = { url: string }

const refresh = (server: Server, cookie: string) =>
  request(server, 'POST', '/api/auth/refresh', { cookie })
const statusOfMe = async (server: Server, token: string) =>
  (await request(server, 'GET', '/api/me', { token })).status
const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** The code of a later time step than the ones before, which work once. */
const codeOf = (secret: string, steps: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * 30_000,
  })

/** A user with a second factor, and an organization with an open invite. */
const populate = async (server: Server) => {
  const user = await newUser(server)
  const post = async (path: string, body: object = {}) =>
    (await request(server, 'POST', path, { token: user.accessToken, body })).body
  const { secret } = await post('/api/auth/mfa/setup')
  await post('/api/auth/mfa/enable', { code: codeOf(secret, -1) })
  const org = await post('/api/orgs', { name: 'Analytics' })
  return { user, secret: String(secret), orgId: String(org.id) }
}

const signInWithCode = async (server: Server, { email }: TestUser, code: string) => {
  const { body } = await request(server, 'POST', '/api/auth/signin', {
    body: { email, password: PASSWORD },
  })
  return request(server, 'POST', '/api/auth/mfa/verify', {
    body: { partial_token: body.partial_token, code },
  })
}

describe('a rotation of SVC_AUTH_SECRET', () => {
  test('a rotation signs no user out while both secrets are set, and the new one alone reads what was encrypted', async () => {
    const place = { ...(await startedPlace()), ...BASE }
    const start = <T>(secrets: object, work: (server: Server) => Promise<T>) =>
      withServer({ ...place, ...secrets }, (url) => work({ url }))
    const before = await start({ SVC_AUTH_SECRET: OLD }, populate)
    const { user, secret } = before
    const away = await start({ SVC_AUTH_SECRET: OLD }, newUser)

    const both = { SVC_AUTH_SECRET: NEW, SVC_AUTH_SECRET_PREVIOUS: OLD }
    const cookie = await start(both, async (server) => {
      for (const token of [user.accessToken, user.key])
        expect(await statusOfMe(server, token)).toBe(200)
      const refreshed = await refresh(server, user.refreshToken)
      expect(refreshed.status).toBe(200)
      // The same signing key, whose private part the old secret encrypted.
      expect(kidOf(refreshed.body.access_token)).toBe(kidOf(user.accessToken))
      expect(kidOf(cookieValue(refreshed.cookie))).not.toBe(kidOf(user.refreshToken))
      expect((await signInWithCode(server, user, codeOf(secret, 0))).status).toBe(200)
      return cookieValue(refreshed.cookie)
    })

    await start({ SVC_AUTH_SECRET: NEW }, async (server) => {
      expect((await refresh(server, cookie)).status).toBe(200)
      expect(await statusOfMe(server, user.accessToken)).toBe(200)
      expect((await signInWithCode(server, user, codeOf(secret, 1))).status).toBe(200)
      // Not seen since the rotation.
      expect((await refresh(server, away.refreshToken)).status).toBe(401)
    })
    const earlier = withServer({ ...place, SVC_AUTH_SECRET: OLD } as Place, async () => {})
    expect(await refusalOf(earlier)).toMatch(
      /^SVC_AUTH_SECRET is not the secret of this database.*SVC_AUTH_SECRET_PREVIOUS/,
    )
  })

  test('two servers with the two secrets in either order accept what the other signs', async () => {
    const place = { ...(await startedPlace()), ...BASE }
    const one = { ...place, SVC_AUTH_SECRET: OLD, SVC_AUTH_SECRET_PREVIOUS: NEW } as Place
    const other = { ...place, SVC_AUTH_SECRET: NEW, SVC_AUTH_SECRET_PREVIOUS: OLD } as Place
    await withServer(one, (url) =>
      withServer(other, async (otherUrl) => {
        const servers = [{ url }, { url: otherUrl }]
        for (const [index, server] of servers.entries()) {
          const elsewhere = servers[1 - index] as Server
          const { user, secret } = await populate(server)
          expect(await statusOfMe(elsewhere, user.accessToken)).toBe(200)
          const refreshed = await refresh(elsewhere, user.refreshToken)
          expect(refreshed.status).toBe(200)
          expect((await refresh(server, cookieValue(refreshed.cookie))).status).toBe(200)
          const signedIn = await signInWithCode(elsewhere, user, codeOf(secret, 0))
          expect(signedIn.status).toBe(200)
        }
      }),
    )
  })
})

describe('svc admin rotate-secret', () => {
  test('the generated secret is replaced without signing users out, and the previous one is dropped', async () => {
    const place = { ...(await preparedPlace()), ...BASE } as Place
    const file = join(place.SVC_DATA_DIR, 'auth-secret')
    const lines = () => readFileSync(file, 'utf8').trim().split('\n')
    const { user, secret } = await withServer(place, async (url) => {
      const { code, stderr } = await admin(place, 'rotate-secret')
      expect([code, stderr]).toEqual([1, expect.stringContaining('stop it')])
      return populate({ url })
    })
    const [first] = lines()
    expect(await adminJson(place, 'rotate-secret', '--drop-previous')).toEqual({ dropped: false })
    // The option stands for the variable.
    const { SVC_DATA_DIR, ...others } = place
    const folder = ['--data-dir', SVC_DATA_DIR]
    expect(await adminJson(others as Place, 'rotate-secret', ...folder)).toEqual({ rotated: true })
    expect(lines()).toEqual([expect.stringMatching(/^[\w-]{43}$/), first ?? ''])
    expect(lines()[0]).not.toBe(first ?? '')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // Every cookie is one of the first secret, until a start.
    for (const option of [[], ['--drop-previous']]) {
      const { code, stderr } = await admin(place, 'rotate-secret', ...option)
      expect([code, stderr]).toEqual([1, expect.stringContaining('start svc once')])
    }
    const cookie = await withServer(place, async (url) => {
      expect(await statusOfMe({ url }, user.accessToken)).toBe(200)
      return cookieValue((await refresh({ url }, user.refreshToken)).cookie)
    })

    const archive = join(scratch(), 'b.tar.zst')
    await operate(place).backup(archive)
    const restored = { ...embeddedPlace(), ...BASE } as Place
    await operate(restored).restore(archive)
    expect(readFileSync(join(restored.SVC_DATA_DIR, 'auth-secret'), 'utf8').split('\n')).toEqual(
      lines(),
    )
    await withServer(restored, async (url) =>
      expect((await refresh({ url }, user.refreshToken)).status).toBe(200),
    )

    expect(await adminJson(place, 'rotate-secret', '--drop-previous')).toEqual({ dropped: true })
    expect(lines().length).toBe(1)
    await withServer(place, async (url) => {
      expect((await refresh({ url }, cookie)).status).toBe(200)
      expect((await signInWithCode({ url }, user, codeOf(secret, 0))).status).toBe(200)
    })
  })

  test('SVC_AUTH_SECRET is rotated by its variables, and the command says so', async () => {
    const place = { ...(await startedPlace()), SVC_AUTH_SECRET: OLD }
    const { code, stderr } = await admin(place, 'rotate-secret')
    expect([code, stderr]).toEqual([1, expect.stringContaining('set SVC_AUTH_SECRET_PREVIOUS')])
  })

  test('SVC_AUTH_SECRET_PREVIOUS without SVC_AUTH_SECRET stops the start', async () => {
    const place = { ...(await startedPlace()), SVC_AUTH_SECRET_PREVIOUS: OLD } as Place
    expect(await refusalOf(withServer(place, async () => {}))).toBe(
      'SVC_AUTH_SECRET_PREVIOUS requires SVC_AUTH_SECRET',
    )
  })
})

test('an access token and a cookie of a version that signed with HS256 work after the update', async () => {
  const place = await serverPlace()
  await operate(place).restore(backupOf('squashed'))
  const database = { env: place, drop: async () => {}, dropDatabase: async () => {} }
  // The first start of a version that signs with ES256 creates the first key.
  await runSql(database, 'delete from signing_keys')
  const [session] = await runSql(
    database,
    'select id, user_id, generation from sessions where revoked_at is null limit 1',
  )
  const key = readFileSync(join(place.SVC_DATA_DIR, 'auth-secret'))
  const kid = createHash('sha256').update(key).digest('hex').slice(0, 8)
  const sign = (audience: string, subject: unknown, claims: object) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
      .setIssuer(BASE.SVC_BASE_URL)
      .setAudience(audience)
      .setSubject(String(subject))
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .setExpirationTime('1h')
      .sign(key)
  const token = await sign('svc:access', session?.user_id, { sid: session?.id })
  const cookie = await sign('svc:refresh', session?.id, { gen: session?.generation })
  await withServer({ ...place, ...BASE } as Place, async (url) => {
    expect(await statusOfMe({ url }, token)).toBe(200)
    const refreshed = await refresh({ url }, cookie)
    expect(refreshed.status).toBe(200)
    expect(decodeProtectedHeader(refreshed.body.access_token).alg).toBe('ES256')
    expect(await statusOfMe({ url }, refreshed.body.access_token)).toBe(200)
    expect(await statusOfMe({ url }, token)).toBe(200)
  })
})
