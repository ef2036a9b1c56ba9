import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { type AuthSecrets, deriveKeys } from './secrets/derived-keys.ts'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets for storage. Each is bound to an owner: the id of a user, or of what it belongs to. */
export type Cipher = ReturnType<typeof createCipher>

/** The default is from the time when only secrets of authenticator apps were encrypted. */
export const DEFAULT_PURPOSE = 'svc:mfa-secret'
export const SEALING_PURPOSES = [DEFAULT_PURPOSE, 'svc:signing-key', 'svc:server-settings'] as const
/** Texts of different purposes are encrypted with different keys. */
export type SealingPurpose = (typeof SEALING_PURPOSES)[number]

/** AES-256-GCM with a key derived from the current auth secret. */
export const createCipher = (
  authSecrets: AuthSecrets,
  purpose: SealingPurpose = DEFAULT_PURPOSE,
) => {
  const [current, ...previous] = deriveKeys(authSecrets, purpose)

  const seal = (text: string, owner: string): string => {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(ALGORITHM, current, iv).setAAD(Buffer.from(owner))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  const openWith = (keys: Buffer[], sealed: string, owner: string): string | undefined => {
    const bytes = Buffer.from(sealed, 'base64url')
    for (const key of keys) {
      const text = decrypt(key, bytes, owner)
      if (text !== undefined) return text
    }
    return undefined
  }

  return {
    seal,

    /** @returns undefined when `sealed` was made with an unknown secret or for another owner. */
    open: (sealed: string, owner: string): string | undefined =>
      openWith([current, ...previous], sealed, owner),

    /** Encrypts what the previous secret encrypted with the current one. @returns undefined for other texts. */
    reseal(sealed: string, owner: string): string | undefined {
      if (openWith([current], sealed, owner) !== undefined) return undefined
      const text = openWith(previous, sealed, owner)
      return text === undefined ? undefined : seal(text, owner)
    },
  }
}

const decrypt = (key: Buffer, bytes: Buffer, owner: string): string | undefined => {
  const end = IV_BYTES + TAG_BYTES
  try {
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(owner))
      .setAuthTag(bytes.subarray(IV_BYTES, end))
    return decipher.update(bytes.subarray(end), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
