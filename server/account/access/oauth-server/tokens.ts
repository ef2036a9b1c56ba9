import { hkdfSync } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'

export const GRANT_ACCESS_SECONDS = 60 * 60
const GRANT_SECONDS = 365 * 24 * 60 * 60

const ALGORITHM = 'HS256'
const ACCESS = 'at+jwt'
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

interface TokenContent {
  /** The `typ` of the header, which tells the two kinds apart. */
  typ: string
  audience: string
  subject: string
  claims: object
  seconds: number
}

/** The tokens have their own signing key, so that none passes as a token of a user. */
export const createGrantTokens = (
  authSecret: string,
  { issuer, resource }: { issuer: string; resource: string },
): GrantTokens => {
  const key = new Uint8Array(hkdfSync('sha256', authSecret, '', 'svc:grants', 32))

  const sign = ({ typ, audience, subject, claims, seconds }: TokenContent) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(subject)
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .setExpirationTime(`${seconds}s`)
      .sign(key)

  const read = async (token: string, typ: string, audience: string): Promise<ReadGrant> => {
    const expected = { algorithms: [ALGORITHM], typ, issuer, audience }
    try {
      const { payload } = await jwtVerify<{ sid?: string; gen?: number }>(token, key, {
        ...expected,
        requiredClaims: ['sub', 'exp', 'sid'],
      })
      return {
        ok: true,
        claims: { sessionId: payload.sid ?? '', generation: payload.gen ?? 0 },
      }
    } catch (error) {
      return { ok: false, expired: error instanceof errors.JWTExpired }
    }
  }

  return {
    access: ({ userId, sessionId, clientId }) =>
      sign({
        typ: ACCESS,
        audience: resource,
        subject: userId,
        claims: { sid: sessionId, client_id: clientId, scope: 'mcp' },
        seconds: GRANT_ACCESS_SECONDS,
      }),
    refresh: ({ sessionId, generation }) =>
      sign({
        typ: REFRESH,
        audience: issuer,
        subject: sessionId,
        claims: { sid: sessionId, gen: generation },
        seconds: GRANT_SECONDS,
      }),
    readAccess: (token) => read(token, ACCESS, resource),
    readRefresh: (token) => read(token, REFRESH, issuer),
  }
}
