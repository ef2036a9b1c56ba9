import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { API_KEY_PREFIX } from '../../../platform/http/guard.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 43
const CHECKSUM_LENGTH = 6

/**
 * Tokens of a prefix, 43 random base62 characters (256 bits) and a CRC-32 of both. Secret scanners use the
 * checksum to recognize a token.
 */
export const tokenFormat = (prefix: string) => ({
  create(): string {
    const body = prefix + randomBase62(RANDOM_LENGTH)
    return body + checksum(body)
  },

  /** Checks length, prefix and checksum of a token. */
  isWellFormed: (text: string): boolean =>
    text.length === prefix.length + RANDOM_LENGTH + CHECKSUM_LENGTH &&
    text.startsWith(prefix) &&
    checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH),
})

export const { create: createApiKey, isWellFormed: isWellFormedKey } = tokenFormat(API_KEY_PREFIX)

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

/** Bytes from 248 are skipped, because 248 is 4 × 62: each character is equally likely. */
const randomBase62 = (length: number): string => {
  let result = ''
  while (result.length < length)
    for (const byte of randomBytes(length))
      if (byte < 248 && result.length < length) result += ALPHABET.charAt(byte % 62)
  return result
}
