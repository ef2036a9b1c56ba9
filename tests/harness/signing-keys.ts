import {
  decodeJwt,
  decodeProtectedHeader,
  generateKeyPair,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import {
  type AccessTokens,
  createAccessTokens,
} from '../../server/account/access/signing-keys/access-tokens.ts'
import { openPrivateKey } from '../../server/account/access/signing-keys/key-pair.ts'
import { createCipher } from '../../server/platform/cipher.ts'
import type { TestDatabase } from './database.ts'
import { runSql } from './http.ts'

/** The key that signs, as a person reads it who has the database and the auth secret. */
export const readSigningKey = async (
  database: TestDatabase,
  secret: string,
): Promise<CryptoKey> => {
  const [row] = await runSql(
    database,
    `select kid, sealed_private_key from signing_keys
    where signs_from <= now() and (signs_until is null or signs_until > now())`,
  )
  const cipher = createCipher({ current: secret, previous: undefined }, 'svc:signing-key')
  const key = await openPrivateKey(cipher, String(row?.sealed_private_key), String(row?.kid))
  if (!key) throw new Error('another secret encrypted the key')
  return key
}

/** A token with other claims or another header. */
export const reSign = (
  token: string,
  key: CryptoKey | Uint8Array,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> =>
  new SignJWT({ ...decodeJwt(token), ...claims })
    .setProtectedHeader({ ...decodeProtectedHeader(token), ...header } as JWTHeaderParameters)
    .sign(key)

/** Access tokens without a database. @param acceptsEarlierTokens whether HS256 is accepted. */
export const createTestAccessTokens = async (
  acceptsEarlierTokens = false,
): Promise<AccessTokens> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const kid = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  return createAccessTokens({
    signer: async () => ({ kid, privateKey }),
    find: async (sought) => (sought === kid ? publicKey : undefined),
    acceptsEarlierTokens: () => acceptsEarlierTokens,
  })
}

/** Moves the times of all signing keys into the past, and reports it to the servers as a rotation does. */
export const passKeyTime = async (database: TestDatabase, minutes: number): Promise<void> => {
  const columns = ['published_at', 'signs_from', 'signs_until', 'verifies_until']
  const past = columns.map((name) => `${name} = ${name} - interval '${minutes} minutes'`)
  await runSql(
    database,
    `update signing_keys set ${past.join(', ')}`,
    `select pg_notify('signing_keys', '')`,
  )
}

/** From the publication of a key until it signs. */
export const PUBLISHED_MINUTES = 10
/** Longer than the tokens of a key are valid after it signed: an hour, and five minutes of clock skew. */
export const VERIFIED_MINUTES = 66
