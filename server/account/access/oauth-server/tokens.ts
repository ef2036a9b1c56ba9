import { errors, jwtVerify, SignJWT } from 'jose'
import { type AuthSecrets, deriveKeys } from '../../../platform/secrets/derived-keys.ts'
import { ACCESS_TYPE, type AccessTokens } from '../signing-keys/access-tokens.ts'

export const GRANT_ACCESS_SECONDS = 60 * 60
const GRANT_SECONDS = 365 * 24 * 60 * 60

const ALGORITHM = 'HS256'
const REFRESH = 'rt+jwt'

interface GrantClaims {
  sessionId: string
  /** Of a refresh token: the generation of the session. */
  generation: number
}

type ReadGrant = { ok: true; claims: GrantClaims } | { ok: false; expired: boolean }

/** The tokens of OAuth clients, for one resource only (RFC 8707, RFC 9068). */
export interface GrantTokens {
  access(grant: { userId: string; sessionId: string; clientId: string }): Promise<string>
  refresh(claims: GrantClaims): Promise<string>
  readAccess(token: string): Promise<ReadGrant>
  readRefresh(token: string): Promise<ReadGrant>
}

/** The auth secret signs refresh tokens with a key of their own, so that none passes as a token of a user. */
export const createGrantTokens = (
  secrets: AuthSecrets,
  { issuer, resource }: { issuer: string; resource: string },
  accessTokens: AccessTokens,
): GrantTokens => {
  const keys = deriveKeys(secrets, 'svc:grants')

  /** Verifies a token that the auth secret signed, the current one or the previous one. */
  const verify = async (token: string, typ: string, audience: string): Promise<GrantPayload> => {
    const expected = { algorithms: [ALGORITHM], typ, issuer, audience }
    const verifyWith = async (key: Uint8Array) => {
      const { payload } = await jwtVerify<GrantPayload>(token, key, {
        ...expected,
        requiredClaims: ['sub', 'exp', 'sid'],
      })
      return payload
    }
    const [current, previous] = keys
    if (!previous) return verifyWith(current)
    return (await verifyWith(current).catch(unlessUnsigned)) ?? verifyWith(previous)
  }

  const read = async (verified: Promise<GrantPayload>): Promise<ReadGrant> => {
    try {
      const { sid, gen } = await verified
      return { ok: true, claims: { sessionId: sid ?? '', generation: gen ?? 0 } }
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        return { ok: false, expired: error instanceof errors.JWTExpired }
      throw error
    }
  }

  return {
    access: ({ userId, sessionId, clientId }) =>
      accessTokens.sign({
        issuer,
        audience: resource,
        subject: userId,
        claims: { sid: sessionId, client_id: clientId, scope: 'mcp' },
        seconds: GRANT_ACCESS_SECONDS,
      }),
    refresh: ({ sessionId, generation }) =>
      new SignJWT({ sid: sessionId, gen: generation })
        .setProtectedHeader({ alg: ALGORITHM, typ: REFRESH })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(sessionId)
        .setIssuedAt()
        .setJti(crypto.randomUUID())
        .setExpirationTime(`${GRANT_SECONDS}s`)
        .sign(keys[0]),
    readAccess: (token) =>
      read(
        accessTokens.acceptsEarlier(token)
          ? verify(token, ACCESS_TYPE, resource)
          : accessTokens.verify<GrantPayload>(token, { issuer, audience: resource }),
      ),
    readRefresh: (token) => read(verify(token, REFRESH, issuer)),
  }
}

interface GrantPayload {
  [claim: string]: unknown
  sid?: string
  gen?: number
}

const unlessUnsigned = (error: unknown): undefined => {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
}
