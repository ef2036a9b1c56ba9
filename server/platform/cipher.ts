import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts secrets for storage. Each is bound to one user. */
export interface Cipher {
  seal(text: string, userId: string): string
  /** @returns undefined when `sealed` was made with another secret or for another user. */
  open(sealed: string, userId: string): string | undefined
}

/** AES-256-GCM with a key derived by HKDF (RFC 5869) from the secret that also signs tokens. */
export const createCipher = (authSecret: string): Cipher => {
  const key = Buffer.from(hkdfSync('sha256', authSecret, '', 'svc:mfa-secret', 32))
  return {
    seal(text, userId) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(userId))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed, userId) {
      const bytes = Buffer.from(sealed, 'base64url')
      const end = IV_BYTES + TAG_BYTES
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES))
          .setAAD(Buffer.from(userId))
          .setAuthTag(bytes.subarray(IV_BYTES, end))
        return decipher.update(bytes.subarray(end), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
