import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_PREFIX } from '../../platform/http/guard.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6

/**
 * A new API key: `svc_`, 43 base62 characters of randomness (256 bits) and a CRC-32 of what comes
 * before it, so that a scanner can tell a real key from a look-alike.
 */
export const createApiKey = (): string => {
  const body = API_KEY_PREFIX + randomBase62(RANDOM_LENGTH)
  return body + checksum(body)
}

/** Whether a key could be one of ours at all, told without asking the database. */
export const isWellFormedKey = (key: string): boolean => {
  const body = key.slice(0, -CHECKSUM_LENGTH)
  return (
    key.length === API_KEY_PREFIX.length + RANDOM_LENGTH + CHECKSUM_LENGTH &&
    key.startsWith(API_KEY_PREFIX) &&
    checksum(body) === key.slice(-CHECKSUM_LENGTH)
  )
}

export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex')

export const keyPrefix = (key: string): string => key.slice(0, 8)

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Bytes of 248 and more are thrown away: 248 is 4 × 62, so that each character is as likely. */
const randomBase62 = (length: number): string => {
  let result = ''
  while (result.length < length)
    for (const byte of randomBytes(length))
      if (byte < 248 && result.length < length) result += ALPHABET.charAt(byte % 62)
  return result
}
