import { createHash } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'

interface AccessClaims {
  userId: string
  sessionId: string
}
export interface RefreshClaims {
  sessionId: string
  generation: number
}

interface PartialClaims {
  challengeId: string
}

type Verified<T> = { ok: true; claims: T } | { ok: false; reason: 'expired' | 'invalid' }

const ACCESS_TOKEN_SECONDS = 60 * 60
export const REFRESH_TOKEN_SECONDS = 365 * 24 * 60 * 60
export const PARTIAL_TOKEN_SECONDS = 5 * 60

const ALGORITHM = 'HS256'

/**
 * Signs and verifies access tokens, refresh tokens, and the partial tokens of sign-ins that wait for a
 * second factor. Each kind has its own audience, so that no token passes as another kind.
 */
export interface Tokens {
  access(claims: AccessClaims): Promise<string>
  refresh(claims: RefreshClaims): Promise<string>
  partial(claims: PartialClaims): Promise<string>
  readAccess(token: string): Promise<Verified<AccessClaims>>
  readRefresh(token: string): Promise<Verified<RefreshClaims>>
  readPartial(token: string): Promise<Verified<PartialClaims>>
}

export const createTokens = (secret: string, issuer: string): Tokens => {
  const key = new TextEncoder().encode(secret)
  const kid = createHash('sha256').update(key).digest('hex').slice(0, 8)

  const sign = (audience: string, subject: string, claims: object, seconds: number) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .setExpirationTime(`${seconds}s`)
      .sign(key)

  const read = async <T>(
    token: string,
    audience: string,
    readClaims: (payload: Payload) => T | undefined,
  ) => {
    try {
      const { payload, protectedHeader } = await jwtVerify<Payload>(token, key, {
        algorithms: [ALGORITHM],
        issuer,
        audience,
        requiredClaims: ['sub', 'exp'],
      })
      const claims = protectedHeader.kid === kid ? readClaims(payload) : undefined
      return claims ? { ok: true as const, claims } : invalid
    } catch (error) {
      return error instanceof errors.JWTExpired ? expired : invalid
    }
  }

  return {
    access: ({ userId, sessionId }) =>
      sign('svc:access', userId, { sid: sessionId }, ACCESS_TOKEN_SECONDS),
    refresh: ({ sessionId, generation }) =>
      sign('svc:refresh', sessionId, { gen: generation }, REFRESH_TOKEN_SECONDS),
    partial: ({ challengeId }) => sign('svc:partial', challengeId, {}, PARTIAL_TOKEN_SECONDS),
    readAccess: (token) =>
      read(token, 'svc:access', ({ sub, sid }) =>
        sub && sid ? { userId: sub, sessionId: sid } : undefined,
      ),
    readRefresh: (token) =>
      read(token, 'svc:refresh', ({ sub, gen }) =>
        sub && gen !== undefined ? { sessionId: sub, generation: gen } : undefined,
      ),
    readPartial: (token) =>
      read(token, 'svc:partial', ({ sub }) => (sub ? { challengeId: sub } : undefined)),
  }
}

interface Payload {
  [claim: string]: unknown
  sub?: string
  sid?: string
  gen?: number
}

const invalid = { ok: false, reason: 'invalid' } as const
const expired = { ok: false, reason: 'expired' } as const
