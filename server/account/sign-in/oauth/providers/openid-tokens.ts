import { type createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import { OAuthFailure } from '../errors.ts'

/** The difference between the clocks of a provider and this server that is accepted. */
export const CLOCK_TOLERANCE_SECONDS = 60
/** A logout token is delivered at once. */
export const LOGOUT_TOKEN_SECONDS = 5 * 60
/** OpenID Connect Core 1.0, section 2, limits a subject to 255 characters. */
const MAX_ID_LENGTH = 255

/** Signatures that only the holder of a private key can make. */
const ALGORITHMS = ['RS', 'PS', 'ES']
  .flatMap((family) => ['256', '384', '512'].map((size) => family + size))
  .concat('EdDSA', 'Ed25519')

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** The session at the provider that ended, or all sessions of a subject. */
export interface LogoutToken {
  jti: string
  subject: string | undefined
  sid: string | undefined
}

/** A logout token that is not valid. The message is the `error_description` of the response. */
export class LogoutTokenError extends Error {
  override name = 'LogoutTokenError'
}

type IdTokenClaims = JWTPayload & { sub: string }

export type TokenReader = ReturnType<typeof createTokenReader>

interface TokenReaderOptions {
  issuer: string
  clientId: string
  keys: ReturnType<typeof createRemoteJWKSet>
}

/** Reads the tokens that a provider signs with the keys that it publishes. */
export const createTokenReader = ({ issuer, clientId, keys }: TokenReaderOptions) => {
  const options = {
    issuer,
    audience: clientId,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  }
  return {
    /**
     * Checks the signature, issuer, audience and times; the grant has checked the nonce.
     * @throws OAuthFailure `clock_skew` for a token of the future.
     */
    async readIdToken(token: string): Promise<IdTokenClaims> {
      const verify = () =>
        jwtVerify(token, keys, { ...options, requiredClaims: ['sub', 'iat', 'exp'] })
      const { payload } = await verify().catch(async (error) => {
        if (!isUnknownKey(error)) throw error
        // The provider sent the token itself, so it has changed its keys.
        await keys.reload()
        return verify()
      })
      if ((payload.iat ?? 0) > Date.now() / 1000 + CLOCK_TOLERANCE_SECONDS)
        throw new OAuthFailure('clock_skew', new Error('the ID token was issued in the future'))
      return { ...payload, sub: checkId('sub', payload.sub) }
    },

    /** @throws LogoutTokenError for an invalid token. */
    async readLogoutToken(token: string): Promise<LogoutToken> {
      checkAddressee(token, { issuer, clientId })
      const { payload } = await jwtVerify(token, keys, {
        ...options,
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: LOGOUT_TOKEN_SECONDS,
      }).catch((error) => {
        throw isInvalid(error) ? new LogoutTokenError(error.message, { cause: error }) : error
      })
      return readLogout(payload)
    },
  }
}

const isUnknownKey = (error: unknown): boolean =>
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWSSignatureVerificationFailed

/** The token is invalid, and not the response with the keys. */
const isInvalid = (error: unknown): error is errors.JOSEError =>
  error instanceof errors.JOSEError &&
  !(error instanceof errors.JWKSTimeout) &&
  !(error instanceof errors.JWKSInvalid) &&
  error.code !== 'ERR_JOSE_GENERIC'

/** Keys are requested only for a token that claims to be of this provider, because anyone can send one. */
const checkAddressee = (
  token: string,
  { issuer, clientId }: Pick<TokenReaderOptions, 'issuer' | 'clientId'>,
): void => {
  try {
    const { iss, aud } = decodeJwt(token)
    if (iss === issuer && [aud].flat().includes(clientId)) return
  } catch (cause) {
    throw new LogoutTokenError('logout_token is not a JWT', { cause })
  }
  throw new LogoutTokenError('logout_token is of another issuer or for another client')
}

/** OpenID Connect Back-Channel Logout 1.0, section 2.6. */
const readLogout = ({ jti, sub, sid, events, nonce }: JWTPayload): LogoutToken => {
  const event = isObject(events) ? events[LOGOUT_EVENT] : undefined
  if (!isObject(event)) throw new LogoutTokenError('events has no backchannel-logout event')
  if (nonce !== undefined) throw new LogoutTokenError('nonce is not allowed')
  if (sub === undefined && sid === undefined) throw new LogoutTokenError('sub or sid is missing')
  try {
    return {
      jti: checkId('jti', jti),
      subject: sub === undefined ? undefined : checkId('sub', sub),
      sid: sid === undefined ? undefined : checkId('sid', sid),
    }
  } catch (cause) {
    throw new LogoutTokenError((cause as Error).message, { cause })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws for anything but a text of 1 to 255 characters. */
export const checkId = (name: string, value: unknown): string => {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_LENGTH)
    throw new Error(`${name} must be a text of 1 to ${MAX_ID_LENGTH} characters`)
  return value
}
