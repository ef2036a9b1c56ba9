import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Cipher } from '../../../platform/cipher.ts'

export const ALGORITHM = 'ES256'

/** The length of a SHA-256 thumbprint (RFC 7638) in base64url. */
const KID = /^[\w-]{43}$/

export const isKid = (kid: string | undefined): kid is string => kid !== undefined && KID.test(kid)

/** A public key as the key set publishes it (RFC 7517). */
export type PublicJwk = Required<Pick<JWK, 'kty' | 'crv' | 'x' | 'y' | 'kid' | 'alg' | 'use'>>

export interface NewKeyPair {
  kid: string
  publicJwk: PublicJwk
  sealedPrivateKey: string
}

/** Creates a key pair on P-256. The private key is encrypted, and bound to its id. */
export const createKeyPair = async (cipher: Pick<Cipher, 'seal'>): Promise<NewKeyPair> => {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  const jwk = await exportJWK(privateKey)
  const kid = await calculateJwkThumbprint(jwk)
  const { kty = '', crv = '', x = '', y = '' } = jwk
  return {
    kid,
    publicJwk: { kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig' },
    sealedPrivateKey: cipher.seal(JSON.stringify(jwk), kid),
  }
}

/** @returns undefined for a private key that another secret encrypted. */
export const openPrivateKey = async (
  cipher: Pick<Cipher, 'open'>,
  sealed: string,
  kid: string,
): Promise<CryptoKey | undefined> => {
  const jwk = cipher.open(sealed, kid)
  return jwk === undefined ? undefined : importKey(JSON.parse(jwk))
}

export const importKey = async (jwk: JWK): Promise<CryptoKey> => {
  const key = await importJWK(jwk, ALGORITHM)
  if (key instanceof Uint8Array) throw new Error('the key is not one of ES256')
  return key
}
