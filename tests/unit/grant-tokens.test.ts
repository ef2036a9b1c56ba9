import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { SignJWT } from 'jose'
import { createGrantTokens } from '../../server/account/access/oauth-server/tokens.ts'
import { createTokens } from '../../server/account/access/sessions/tokens.ts'

const SECRET = 'a secret of at least thirty-two characters'
const here = { issuer: 'https://svc.example', resource: 'https://svc.example/api/mcp' }
const tokens = createGrantTokens(SECRET, here)
const grant = { userId: crypto.randomUUID(), sessionId: crypto.randomUUID(), clientId: 'a client' }

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
  const elsewhere = createGrantTokens(SECRET, { ...here, resource: 'https://svc.example/other' })
  const other = createGrantTokens(SECRET, { ...here, issuer: 'https://evil.example' })
  const otherSecret = createGrantTokens('another secret of thirty-two characters', here)
  const persons = createTokens(SECRET, here.issuer)
  const unsigned = [{ alg: 'none', typ: 'at+jwt' }, { sub: userId, sid: sessionId }, '']
    .map((part) => (part ? Buffer.from(JSON.stringify(part)).toString('base64url') : ''))
    .join('.')
  const guessed = await new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(here.issuer)
    .setAudience(here.resource)
    .setSubject(userId)
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(SECRET))
  for (const token of [
    await tokens.refresh({ sessionId, generation: 0 }),
    await elsewhere.access(grant),
    await other.access(grant),
    await otherSecret.access(grant),
    await persons.access({ userId, sessionId }),
    unsigned,
    guessed,
    '',
  ])
    expect(await tokens.readAccess(token)).toEqual(INVALID)
  for (const token of [
    await tokens.access(grant),
    await persons.refresh({ sessionId, generation: 0 }),
  ])
    expect(await tokens.readRefresh(token)).toEqual(INVALID)
  expect((await persons.readAccess(await tokens.access(grant))).ok).toBe(false)
})
