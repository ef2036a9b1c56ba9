import {
  decodeProtectedHeader,
  errors,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { ALGORITHM, isKid } from './key-pair.ts'
import type { Keyring } from './keyring.ts'

/** The `typ` of access tokens (RFC 9068), which none of another kind has. */
export const ACCESS_TYPE = 'at+jwt'

interface AccessToken {
  issuer: string
  audience: string
  subject: string
  /** With `sid`, the session or the API key, and `client_id`. */
  claims: { sid: string; client_id: string; scope?: string; gty?: string }
  seconds: number
}

/** Signs and verifies access tokens with the keys that the server publishes. */
export type AccessTokens = ReturnType<typeof createAccessTokens>

export const createAccessTokens = (
  keyring: Pick<Keyring, 'signer' | 'find' | 'acceptsEarlierTokens'>,
) => {
  const keyOf = async ({ kid }: JWTHeaderParameters): Promise<CryptoKey> => {
    const key = isKid(kid) ? await keyring.find(kid) : undefined
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }

  return {
    async sign({ issuer, audience, subject, claims, seconds }: AccessToken): Promise<string> {
      const { kid, privateKey } = await keyring.signer()
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: ALGORITHM, typ: ACCESS_TYPE, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt()
        .setJti(crypto.randomUUID())
        .setExpirationTime(`${seconds}s`)
        .sign(privateKey)
    },

    /** @throws a jose error, `JWTExpired` for a token that was valid. */
    async verify<T>(
      token: string,
      expected: { issuer: string; audience: string },
    ): Promise<JWTPayload & T> {
      const { payload } = await jwtVerify<T>(token, keyOf, {
        ...expected,
        algorithms: [ALGORITHM],
        typ: ACCESS_TYPE,
        requiredClaims: ['sub', 'exp', 'sid'],
      })
      return payload
    },

    /** Whether a token is one of HS256, which versions before signed, and such may still be valid. */
    acceptsEarlier: (token: string): boolean =>
      keyring.acceptsEarlierTokens() && algorithmOf(token) === 'HS256',
  }
}

/** As the token claims it. The verification accepts only the algorithm of its key. */
const algorithmOf = (token: string): string | undefined => {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    return undefined
  }
}
