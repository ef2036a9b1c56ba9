import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import { type AuthSecrets, deriveKeys } from '../../../platform/secrets/derived-keys.ts'
import { ACCESS_TYPE, type AccessTokens } from '../signing-keys/access-tokens.ts'
import { MCP_SCOPE, type Resources } from './scopes.ts'

export const GRANT_ACCESS_SECONDS = 60 * 60
/** How long an access token of a credential lives that ends at a time; null: never. In seconds, at least one. */
export const accessSeconds = (expiresAt: Date | null): number => {
  const left = expiresAt ? (expiresAt.getTime() - Date.now()) / 1000 : Number.POSITIVE_INFINITY
  return Math.max(1, Math.floor(Math.min(GRANT_ACCESS_SECONDS, left)))
}
const GRANT_SECONDS = 365 * 24 * 60 * 60

const ALGORITHM = 'HS256'
const REFRESH = 'rt+jwt'

/** The grant of a token that an API key was exchanged for. */
const CLIENT_CREDENTIALS = 'client_credentials'

interface GrantClaims {
  sessionId: string
  /** Of a token of an API key: the id of the key, in the place of a session. */
  keyId?: string
  /** Of a refresh token: the generation of the session. */
  generation: number
}

type ReadGrant = { ok: true; claims: GrantClaims } | { ok: false; expired: boolean }

/** Whom a token is for, and what for. */
export interface TokenGrant {
  userId: string
  sessionId: string
  clientId: string
  /** Null for a token of the MCP endpoint. */
  scopes: readonly AppScope[] | null
  /** How long it lives. */
  seconds: number
}

/** The tokens of OAuth clients, each for one resource (RFC 8707, RFC 9068): the MCP endpoint or the API. */
export type GrantTokens = ReturnType<typeof createGrantTokens>

/** The auth secret signs refresh tokens with a key of their own, so that none passes as a token of a user. */
export const createGrantTokens = (
  authSecrets: AuthSecrets,
  { issuer, resources }: { issuer: string; resources: Pick<Resources, 'mcp' | 'api'> },
  accessTokens: AccessTokens,
) => {
  const keys = deriveKeys(authSecrets, 'svc:grants')

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
      const { sid = '', gen = 0, gty } = await verified
      const ofKey = gty === CLIENT_CREDENTIALS && { keyId: sid }
      return { ok: true, claims: { sessionId: sid, generation: gen, ...ofKey } }
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        return { ok: false, expired: error instanceof errors.JWTExpired }
      throw error
    }
  }

  return {
    access: ({ userId, sessionId, clientId, scopes, seconds }: TokenGrant): Promise<string> =>
      accessTokens.sign({
        issuer,
        audience: scopes ? resources.api : resources.mcp,
        subject: userId,
        claims: { sid: sessionId, client_id: clientId, scope: scopes?.join(' ') ?? MCP_SCOPE },
        seconds,
      }),

    /** A token of the MCP endpoint for an API key, which is the client. */
    keyAccess: ({
      userId,
      keyId,
      seconds,
    }: {
      userId: string
      keyId: string
      seconds: number
    }): Promise<string> =>
      accessTokens.sign({
        issuer,
        audience: resources.mcp,
        subject: userId,
        claims: { sid: keyId, client_id: keyId, scope: MCP_SCOPE, gty: CLIENT_CREDENTIALS },
        seconds,
      }),
    refresh: ({ sessionId, generation }: GrantClaims): Promise<string> =>
      new SignJWT({ sid: sessionId, gen: generation })
        .setProtectedHeader({ alg: ALGORITHM, typ: REFRESH })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(sessionId)
        .setIssuedAt()
        .setJti(crypto.randomUUID())
        .setExpirationTime(`${GRANT_SECONDS}s`)
        .sign(keys[0]),

    /** Reads an access token of the MCP endpoint. */
    readAccess: (token: string): Promise<ReadGrant> =>
      read(
        accessTokens.acceptsEarlier(token)
          ? verify(token, ACCESS_TYPE, resources.mcp)
          : accessTokens.verify<GrantPayload>(token, { issuer, audience: resources.mcp }),
      ),
    // Each request of a user asks this first, so that a token of another kind costs no verification.
    /** Reads an access token of an app, for the API. */
    readAppAccess: async (token: string): Promise<ReadGrant> =>
      audienceOf(token) === resources.api
        ? read(accessTokens.verify<GrantPayload>(token, { issuer, audience: resources.api }))
        : { ok: false, expired: false },
    readRefresh: (token: string): Promise<ReadGrant> => read(verify(token, REFRESH, issuer)),
  }
}

interface GrantPayload {
  [claim: string]: unknown
  sid?: string
  gen?: number
  gty?: string
}

const unlessUnsigned = (error: unknown): undefined => {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
}

/** As the token claims it, before it is verified. */
const audienceOf = (token: string): unknown => {
  try {
    return decodeJwt(token).aud
  } catch {
    return undefined
  }
}
