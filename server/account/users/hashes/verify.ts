import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { FirebaseScryptHash, ForeignHash, Pbkdf2Hash, ScryptHash } from './hash.ts'
import { parseHash } from './parse.ts'

/** bcrypt reads this many bytes. Bun hashes longer passwords before, which no other system does. */
const BCRYPT_BYTES = 72
const MAX_SCRYPT_MEMORY = 2 ** 28

const derivePbkdf2 = promisify(pbkdf2)

const deriveScrypt = (
  password: string,
  salt: Buffer,
  { logN, blockSize, parallelization }: Pick<ScryptHash, 'logN' | 'blockSize' | 'parallelization'>,
  length: number,
): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const cost = { N: 2 ** logN, r: blockSize, p: parallelization, maxmem: MAX_SCRYPT_MEMORY }
  scrypt(password, salt, length, cost, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

/** The length of a key of AES-256. */
const FIREBASE_KEY_BYTES = 32
const FIREBASE_IV = Buffer.alloc(16)

const verifyFirebase = async (password: string, found: FirebaseScryptHash): Promise<boolean> => {
  const salt = Buffer.concat([found.salt, found.saltSeparator])
  const key = await deriveScrypt(password, salt, found, FIREBASE_KEY_BYTES)
  const cipher = createCipheriv('aes-256-ctr', key, FIREBASE_IV)
  const sealed = Buffer.concat([cipher.update(found.signerKey), cipher.final()])
  return timingSafeEqual(sealed, found.hash)
}

const verifyScrypt = async (password: string, found: ScryptHash): Promise<boolean> => {
  const typed = found.isNormalized ? password.normalize('NFKC') : password
  const derived = await deriveScrypt(typed, found.salt, found, found.hash.length)
  return timingSafeEqual(derived, found.hash)
}

const verifyPbkdf2 = async (password: string, found: Pbkdf2Hash): Promise<boolean> => {
  const { salt, iterations, digest, hash } = found
  return timingSafeEqual(await derivePbkdf2(password, salt, iterations, hash.length, digest), hash)
}

/**
 * Verifies a password with a stored hash of another system, in threads outside the event loop. A hash that
 * cannot be verified has no password, and the empty password never matches.
 */
export const verifyForeignHash = async (password: string, text: string): Promise<boolean> => {
  const parsed = parseHash(text)
  if (!('hash' in parsed) || password === '') return false
  try {
    return await matches(password, parsed.hash)
  } catch {
    return false
  }
}

const matches = async (password: string, hash: ForeignHash): Promise<boolean> => {
  switch (hash.kind) {
    case 'bcrypt':
      return Bun.password.verify(Buffer.from(password).subarray(0, BCRYPT_BYTES), hash.text)
    case 'argon2':
      return Bun.password.verify(password, hash.text)
    case 'scrypt':
      return verifyScrypt(password, hash)
    case 'firebase_scrypt':
      return verifyFirebase(password, hash)
    case 'pbkdf2':
      return verifyPbkdf2(password, hash)
  }
}
