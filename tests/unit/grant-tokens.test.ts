import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { SignJWT } from 'jose'
import {
  createGrantTokens,
  GRANT_ACCESS_SECONDS,
} from '../../server/account/access/oauth-server/tokens.ts'
import { createTokens } from '../../server/account/access/sessions/tokens.ts'
import { deriveKey } from '../../server/platform/secrets/derived-keys.ts'
import { createTestAccessTokens } from '../harness/signing-keys.ts'

const SECRET = 'a secret of at least thirty-two characters'
const secrets = { current: SECRET, previous: undefined }
const accessTokens = await createTestAccessTokens()
const here = {
  issuer: 'https://svc.example',
  resources: { mcp: 'https://svc.example/api/mcp', api: 'https://svc.example/api' },
}
const tokens = createGrantTokens(secrets, here, accessTokens)
const grant = {
  userId: crypto.randomUUID(),
  sessionId: crypto.randomUUID(),
  clientId: 'a client',
  scopes: null,
  seconds: GRANT_ACCESS_SECONDS,
}

const INVALID = { ok: false, expired: false } as const
const EXPIRED = { ok: false, expired: true } as const
const HOUR_MS = 60 * 60 * 1000

afterEach(() => {
  setSystemTime()
})
const later = (ms: number) => setSystemTime(new Date(Date.now() + ms))

test('an access token names its session for an hour, a refresh token for a year', async () => {
  const access = await tokens.access(grant)
  const refresh = await tokens.refresh({ sessionId: grant.sessionId, generation: 3 })
  expect(await tokens.readAccess(access)).toMatchObject({
    ok: true,
    claims: { sessionId: grant.sessionId },
  })
  expect(await tokens.readRefresh(refresh)).toEqual({
    ok: true,
    claims: { sessionId: grant.sessionId, generation: 3 },
  })
  later(HOUR_MS + 1000)
  expect(await tokens.readAccess(access)).toEqual(EXPIRED)
  later(366 * 24 * HOUR_MS)
  expect(await tokens.readRefresh(refresh)).toEqual(EXPIRED)
})

test('tokens of another kind, resource, issuer or secret are refused', async () => {
  const { sessionId, userId } = grant
  const elsewhere = createGrantTokens(
    secrets,
    { ...here, resources: { ...here.resources, mcp: 'https://svc.example/other' } },
    accessTokens,
  )
  const other = createGrantTokens(
    secrets,
    { ...here, issuer: 'https://evil.example' },
    accessTokens,
  )
  const otherKey = createGrantTokens(secrets, here, await createTestAccessTokens())
  const otherSecret = createGrantTokens(
    { current: 'another secret of thirty-two characters', previous: undefined },
    here,
    accessTokens,
  )
  const persons = createTokens(secrets, here.issuer, accessTokens)
  const unsigned = [{ alg: 'none', typ: 'at+jwt' }, { sub: userId, sid: sessionId }, '']
    .map((part) => (part ? Buffer.from(JSON.stringify(part)).toString('base64url') : ''))
    .join('.')
  const guessed = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(here.issuer)
    .setAudience(here.resources.mcp)
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET))
  for (const token of [
    await tokens.refresh({ sessionId, generation: 0 }),
    await elsewhere.access(grant),
    await other.access(grant),
    await otherKey.access(grant),
    await persons.access({ userId, sessionId }),
    unsigned,
    guessed,
    '',
  ])
    expect(await tokens.readAccess(token)).toEqual(INVALID)
  for (const token of [
    await tokens.access(grant),
    await otherSecret.refresh({ sessionId, generation: 0 }),
    await persons.refresh({ sessionId, generation: 0 }),
  ])
    expect(await tokens.readRefresh(token)).toEqual(INVALID)
  expect((await persons.readAccess(await tokens.access(grant))).ok).toBe(false)
})

test('tokens of the previous secret are valid, and new ones are of the current secret', async () => {
  const { sessionId } = grant
  const rotated = createGrantTokens(
    { current: 'another secret of thirty-two characters', previous: SECRET },
    here,
    accessTokens,
  )
  const before = await tokens.refresh({ sessionId, generation: 0 })
  expect((await rotated.readRefresh(before)).ok).toBe(true)
  const after = await rotated.refresh({ sessionId, generation: 1 })
  expect((await rotated.readRefresh(after)).ok).toBe(true)
  expect(await tokens.readRefresh(after)).toEqual(INVALID)
})

test('an access token of HS256 is valid only while those of earlier versions may be', async () => {
  const signed = (secret: string) =>
    new SignJWT({ sid: grant.sessionId })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setIssuer(here.issuer)
      .setAudience(here.resources.mcp)
      .setSubject(grant.userId)
      .setExpirationTime('1h')
      .sign(deriveKey(secret, 'svc:grants'))
  const updated = createGrantTokens(secrets, here, await createTestAccessTokens(true))
  expect((await updated.readAccess(await signed(SECRET))).ok).toBe(true)
  expect(await updated.readAccess(await signed('x'.repeat(40)))).toEqual(INVALID)
  expect(await tokens.readAccess(await signed(SECRET))).toEqual(INVALID)
})
