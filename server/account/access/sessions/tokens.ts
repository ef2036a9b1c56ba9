import { createHash } from 'node:crypto'
import { errors, type JWTHeaderParameters, jwtVerify, SignJWT } from 'jose'
import { type AuthSecrets, listSecrets } from '../../../platform/secrets/derived-keys.ts'
import type { AccessTokens } from '../signing-keys/access-tokens.ts'

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

export const ACCESS_TOKEN_SECONDS = 60 * 60
export const REFRESH_TOKEN_SECONDS = 365 * 24 * 60 * 60
export const PARTIAL_TOKEN_SECONDS = 5 * 60

const ACCESS_AUDIENCE = 'svc:access'
/** The `client_id` of the server's own sign-in, which RFC 9068 requires. */
const CLIENT_ID = 'svc'

const ALGORITHM = 'HS256'

/**
 * Signs and verifies access tokens, refresh tokens, and the partial tokens of sign-ins that wait for a
 * second factor. Each kind has its own audience, so that no token passes as another kind. Access tokens have
 * a published key; only this server reads the others, which the auth secret signs.
 */
export type SessionTokens = ReturnType<typeof createTokens>

export const createTokens = (
  authSecrets: AuthSecrets,
  issuer: string,
  accessTokens: AccessTokens,
) => {
  const [current, ...previous] = listSecrets(authSecrets)
  const signer = secretKey(current)
  const keys = new Map([signer, ...previous.map(secretKey)].map(({ kid, key }) => [kid, key]))

  const sign = (audience: string, subject: string, claims: object, seconds: number) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: signer.kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .setExpirationTime(`${seconds}s`)
      .sign(signer.key)

  const keyOf = ({ kid = '' }: JWTHeaderParameters): Uint8Array => {
    const key = keys.get(kid)
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }

  /** Verifies a token that the auth secret signed. */
  const verify = async (token: string, audience: string): Promise<Payload> => {
    const { payload } = await jwtVerify<Payload>(token, keyOf, {
      algorithms: [ALGORITHM],
      issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
    })
    return payload
  }

  const read = async <T>(
    payload: Promise<Payload>,
    readClaims: (payload: Payload) => T | undefined,
  ): Promise<Verified<T>> => {
    try {
      const claims = readClaims(await payload)
      return claims ? { ok: true, claims } : invalid
    } catch (error) {
      return asInvalid(error)
    }
  }

  return {
    access: ({ userId, sessionId }: AccessClaims): Promise<string> =>
      accessTokens.sign({
        issuer,
        audience: ACCESS_AUDIENCE,
        subject: userId,
        claims: { sid: sessionId, client_id: CLIENT_ID },
        seconds: ACCESS_TOKEN_SECONDS,
      }),
    refresh: ({ sessionId, generation }: RefreshClaims): Promise<string> =>
      sign('svc:refresh', sessionId, { gen: generation }, REFRESH_TOKEN_SECONDS),
    partial: ({ challengeId }: PartialClaims): Promise<string> =>
      sign('svc:partial', challengeId, {}, PARTIAL_TOKEN_SECONDS),
    readAccess: (token: string): Promise<Verified<AccessClaims>> =>
      read(
        accessTokens.acceptsEarlier(token)
          ? verify(token, ACCESS_AUDIENCE)
          : accessTokens.verify(token, { issuer, audience: ACCESS_AUDIENCE }),
        ({ sub, sid }) => (sub && sid ? { userId: sub, sessionId: sid } : undefined),
      ),
    readRefresh: (token: string): Promise<Verified<RefreshClaims>> =>
      read(verify(token, 'svc:refresh'), ({ sub, gen }) =>
        sub && gen !== undefined ? { sessionId: sub, generation: gen } : undefined,
      ),
    readPartial: (token: string): Promise<Verified<PartialClaims>> =>
      read(verify(token, 'svc:partial'), ({ sub }) => (sub ? { challengeId: sub } : undefined)),
  }
}

const secretKey = (secret: string) => {
  const key = new TextEncoder().encode(secret)
  return { kid: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

/** @throws an error that is not about the token, such as that of a database that is down. */
const asInvalid = (error: unknown) => {
  if (error instanceof errors.JWTExpired) return expired
  if (error instanceof errors.JOSEError || error instanceof TypeError) return invalid
  throw error
}

interface Payload {
  [claim: string]: unknown
  sub?: string
  sid?: string
  gen?: number
}

const invalid = { ok: false, reason: 'invalid' } as const
const expired = { ok: false, reason: 'expired' } as const
