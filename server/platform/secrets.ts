import { createHash, randomBytes } from 'node:crypto'

/** A secret of 256 random bits: 43 characters of base64url. */
export const createSecret = (): string => randomBytes(32).toString('base64url')

/** SHA-256 in hex. Secrets are stored as hashes only. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex')
