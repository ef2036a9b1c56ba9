import { createHash } from 'node:crypto'
import { errors, type JWTHeaderParameters, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { UserInfo } from '../../../shared/contract/openid.ts'
import type { IdTokenHint } from '../../account/access/oauth-server/openid.ts'
import { GRANT_ACCESS_SECONDS } from '../../account/access/oauth-server/tokens.ts'
import { ALGORITHM, isKid } from '../../account/access/signing-keys/key-pair.ts'
import type { Keyring } from '../../account/access/signing-keys/keyring.ts'

/** The `typ` of ID tokens and of logout tokens (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const ID_TYPE = 'JWT'
const LOGOUT_TYPE = 'logout+jwt'
const LOGOUT_SECONDS = 2 * 60

interface IdToken {
  clientId: string
  claims: UserInfo
  /** The session of the user that authorized the app, and when it began. */
  signInId: string | null
  signedInAt: Date | null
  /** Of the authorization request; null in a refreshed token. */
  nonce: string | null
  accessToken: string
}

/** ID tokens (OpenID Connect Core 1.0, section 2), signed like access tokens. */
export type IdTokens = ReturnType<typeof createIdTokens>

export const createIdTokens = (keyring: Pick<Keyring, 'signer' | 'find'>, issuer: string) => {
  const sign = async (
    payload: JWTPayload,
    { clientId, typ, seconds }: { clientId: string; typ: string; seconds: number },
  ): Promise<string> => {
    const { kid, privateKey } = await keyring.signer()
    return new SignJWT(payload)
      .setProtectedHeader({ alg: ALGORITHM, typ, kid })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .setExpirationTime(`${seconds}s`)
      .sign(privateKey)
  }
  const keyOf = async ({ kid }: JWTHeaderParameters): Promise<CryptoKey> => {
    const key = isKid(kid) ? await keyring.find(kid) : undefined
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
  const verify = async (token: string): Promise<JWTPayload | undefined> => {
    const expected = { issuer, algorithms: [ALGORITHM], typ: ID_TYPE, requiredClaims: ['sub'] }
    try {
      return (await jwtVerify(token, keyOf, expected)).payload
    } catch (error) {
      // Checked after the signature and the issuer.
      if (error instanceof errors.JWTExpired) return error.payload
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
      throw error
    }
  }

  return {
    sign: ({
      clientId,
      claims,
      signInId,
      signedInAt,
      nonce,
      accessToken,
    }: IdToken): Promise<string> =>
      sign(
        {
          ...claims,
          ...(signInId && { sid: signInId }),
          ...(signedInAt && { auth_time: Math.floor(signedInAt.getTime() / 1000) }),
          ...(nonce !== null && { nonce }),
          at_hash: accessTokenHash(accessToken),
        },
        { clientId, typ: ID_TYPE, seconds: GRANT_ACCESS_SECONDS },
      ),

    /** @returns undefined for a token that this server did not sign. An expired one is valid as a hint. */
    async readHint(token: string): Promise<IdTokenHint | undefined> {
      const { sub, aud, sid } = (await verify(token)) ?? {}
      if (!sub || typeof aud !== 'string') return undefined
      return { userId: sub, clientId: aud, signInId: typeof sid === 'string' ? sid : undefined }
    },

    /** A token that says that a session has ended. */
    signLogout: ({
      userId,
      clientId,
      signInId,
    }: {
      userId: string
      clientId: string
      signInId: string
    }): Promise<string> =>
      sign(
        {
          sub: userId,
          sid: signInId,
          events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        },
        { clientId, typ: LOGOUT_TYPE, seconds: LOGOUT_SECONDS },
      ),
  }
}

/** The left half of the SHA-256 of the access token (OpenID Connect Core 1.0, section 3.1.3.6). */
const accessTokenHash = (token: string): string =>
  createHash('sha256').update(token).digest().subarray(0, 16).toString('base64url')
