/** A password hash of another system. svc stores it as text until the first sign-in replaces it. */
export type ForeignHash = BcryptHash | Argon2Hash | ScryptHash | FirebaseScryptHash | Pbkdf2Hash

interface BcryptHash {
  kind: 'bcrypt'
  /** Modular crypt format: `$2b$10$…`. */
  text: string
}

interface Argon2Hash {
  kind: 'argon2'
  /** PHC string format: `$argon2id$v=19$m=65536,t=3,p=4$…`. */
  text: string
}

interface Derived {
  salt: Buffer
  hash: Buffer
}

interface ScryptCost {
  /** The binary logarithm of the cost N. */
  logN: number
  blockSize: number
  parallelization: number
}

export interface ScryptHash extends Derived, ScryptCost {
  kind: 'scrypt'
  /** Whether the password is normalized to NFKC before. */
  isNormalized: boolean
}

/** The key that scrypt derives encrypts the signer key of the project; the result is the hash. */
export interface FirebaseScryptHash extends Derived, ScryptCost {
  kind: 'firebase_scrypt'
  saltSeparator: Buffer
  signerKey: Buffer
}

export const PBKDF2_DIGESTS = ['sha1', 'sha256', 'sha512'] as const
export type Pbkdf2Digest = (typeof PBKDF2_DIGESTS)[number]

export interface Pbkdf2Hash extends Derived {
  kind: 'pbkdf2'
  digest: Pbkdf2Digest
  iterations: number
}

const base64 = (bytes: Buffer): string => bytes.toString('base64')
export const unpadded = (bytes: Buffer): string => base64(bytes).replace(/={1,2}$/, '')

/** The text that is stored. `parseHash` reads it. */
export const formatHash = (hash: ForeignHash): string => {
  switch (hash.kind) {
    case 'bcrypt':
    case 'argon2':
      return hash.text
    case 'scrypt': {
      const { logN, blockSize, parallelization, isNormalized, salt } = hash
      const cost = `ln=${logN},r=${blockSize},p=${parallelization}${isNormalized ? ',nfkc=1' : ''}`
      return `$scrypt$${cost}$${unpadded(salt)}$${unpadded(hash.hash)}`
    }
    case 'firebase_scrypt': {
      // The format of Supabase's server for such hashes.
      const cost = `v=1,n=${hash.logN},r=${hash.blockSize},p=${hash.parallelization}`
      const keys = `ss=${base64(hash.saltSeparator)},sk=${base64(hash.signerKey)}`
      return `$fbscrypt$${cost},${keys}$${base64(hash.salt)}$${base64(hash.hash)}`
    }
    case 'pbkdf2':
      return `$pbkdf2-${hash.digest}$i=${hash.iterations}$${unpadded(hash.salt)}$${unpadded(hash.hash)}`
  }
}
