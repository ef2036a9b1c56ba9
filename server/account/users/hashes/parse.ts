import { budgets } from '../../../platform/budgets.ts'
import { type ForeignHash, PBKDF2_DIGESTS, unpadded } from './hash.ts'

/** A hash that can be verified, or why it cannot be. */
export type ParsedHash = { hash: ForeignHash } | { problem: string }

/** With a signer key, a hash of Firebase has 300 characters. */
export const MAX_HASH_CHARACTERS = 2_000

/** A shorter hash would be met by wrong passwords. */
const MIN_HASH_BYTES = 16
const MAX_BYTES = 512

/** @param text in the modular crypt format or the PHC string format, or as Django and passlib write it. */
export const parseHash = (text: string): ParsedHash => {
  if (text.length > MAX_HASH_CHARACTERS)
    return { problem: `A hash has at most ${MAX_HASH_CHARACTERS} characters` }
  for (const parse of PARSERS) {
    const hash = parse(text)
    if (hash) return checkHash(hash)
  }
  return { problem: 'Not a hash of bcrypt, Argon2, scrypt, Firebase or PBKDF2' }
}

export const checkHash = (hash: ForeignHash): ParsedHash => {
  const problem = ('salt' in hash ? lengthProblem(hash) : undefined) ?? costProblem(hash)
  return problem === undefined ? { hash } : { problem }
}

const lengthProblem = (found: Extract<ForeignHash, { salt: Buffer }>) => {
  const parts =
    found.kind === 'firebase_scrypt' ? [found.saltSeparator, found.signerKey] : [found.salt]
  if ([...parts, found.salt, found.hash].some(({ length }) => length > MAX_BYTES))
    return `The salt and the hash have at most ${MAX_BYTES} bytes`
  const isShort = found.hash.length < MIN_HASH_BYTES
  if (found.kind === 'firebase_scrypt' && found.hash.length !== found.signerKey.length)
    return 'The hash of Firebase is as long as the signer key of its project'
  return isShort ? `The hash must have at least ${MIN_HASH_BYTES} bytes in Base64` : undefined
}

const BASE64 = /^[A-Za-z0-9+/]*$/

/**
 * Decodes Base64 with or without padding, in the alphabets of RFC 4648 and, with `.` for `+`, of passlib.
 * @returns undefined for another text.
 */
export const fromBase64 = (text: string): Buffer | undefined => {
  const standard = text
    .replace(/={1,2}$/, '')
    .replace(/[-.]/g, '+')
    .replaceAll('_', '/')
  return BASE64.test(standard) && standard.length % 4 !== 1
    ? Buffer.from(standard, 'base64')
    : undefined
}

/** The decoded parts, if all are valid. */
const decoded = <K extends string>(parts: Record<K, string | undefined>) => {
  const bytes = Object.entries<string | undefined>(parts).map(
    ([name, text]) => [name, text === undefined ? undefined : fromBase64(text)] as const,
  )
  return bytes.every(([, each]) => each !== undefined)
    ? (Object.fromEntries(bytes) as Record<K, Buffer>)
    : undefined
}

type Parser = (text: string) => ForeignHash | undefined

/** 16 bytes of salt and 23 of hash. Unused bits of their last characters are zero, or `verify` throws. */
const bcrypt: Parser = (text) =>
  /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/.test(text)
    ? { kind: 'bcrypt', text }
    : undefined

/** Salts of 8 bytes and hashes of 16 bytes or more. */
const argon2: Parser = (text) => {
  const found =
    /^\$argon2(?:id|i|d)\$v=19\$m=\d{1,9},t=\d{1,9},p=\d{1,9}\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{22,128})$/.exec(
      text,
    )
  return found?.slice(1).every(isCanonical) ? { kind: 'argon2', text } : undefined
}

/** Whether the encoder of Base64 would write this text, without padding. */
const isCanonical = (text: string): boolean => unpadded(Buffer.from(text, 'base64')) === text

const scrypt: Parser = (text) => {
  const found = /^\$scrypt\$ln=(\d{1,3}),r=(\d{1,6}),p=(\d{1,6})(,nfkc=1)?\$([^$]*)\$([^$]*)$/.exec(
    text,
  )
  const bytes = decoded({ salt: found?.[5], hash: found?.[6] })
  return found && bytes
    ? { kind: 'scrypt', ...scryptCost(found), isNormalized: found[4] !== undefined, ...bytes }
    : undefined
}

const scryptCost = ([, logN, blockSize, parallelization]: RegExpExecArray) => ({
  logN: Number(logN),
  blockSize: Number(blockSize),
  parallelization: Number(parallelization),
})

const firebaseScrypt: Parser = (text) => {
  const found =
    /^\$fbscrypt\$v=1,n=(\d{1,3}),r=(\d{1,6}),p=(\d{1,6}),ss=([^,$]*),sk=([^,$]*)\$([^$]*)\$([^$]*)$/.exec(
      text,
    )
  const bytes = decoded({
    saltSeparator: found?.[4],
    signerKey: found?.[5],
    salt: found?.[6],
    hash: found?.[7],
  })
  return found && bytes ? { kind: 'firebase_scrypt', ...scryptCost(found), ...bytes } : undefined
}

/** `i=310000` in the PHC string format, `29000` in that of passlib. */
const pbkdf2: Parser = (text) => {
  const found =
    /^\$pbkdf2(?:-(\w{1,10}))?\$(?:i=)?(\d{1,9})(?:,l=\d{1,4})?\$([^$]*)\$([^$]*)$/.exec(text)
  const digest = PBKDF2_DIGESTS.find((each) => each === (found?.[1] ?? 'sha1'))
  const bytes = decoded({ salt: found?.[3], hash: found?.[4] })
  return found && digest && bytes
    ? { kind: 'pbkdf2', digest, iterations: Number(found[2]), ...bytes }
    : undefined
}

/** The salt of Django is text. */
const django: Parser = (text) => {
  const found = /^pbkdf2_(sha1|sha256)\$(\d{1,9})\$([^$]+)\$([^$]+)$/.exec(text)
  const digest = PBKDF2_DIGESTS.find((each) => each === found?.[1])
  const hash = found?.[4] === undefined ? undefined : fromBase64(found[4])
  return found && digest && hash
    ? {
        kind: 'pbkdf2',
        digest,
        iterations: Number(found[2]),
        salt: Buffer.from(found[3] ?? ''),
        hash,
      }
    : undefined
}

const PARSERS: readonly Parser[] = [bcrypt, argon2, scrypt, firebaseScrypt, pbkdf2, django]

const MIB = 2 ** 20
const KIB = 2 ** 10

/**
 * Anyone with the address can make the server verify a password, so a hash must not cost much more than one
 * of svc.
 * @returns why the hash is refused, or undefined.
 */
const costProblem = (hash: ForeignHash): string | undefined => {
  switch (hash.kind) {
    case 'bcrypt':
      return bcryptProblem(Number(hash.text.slice(4, 6)))
    case 'argon2':
      return argon2Problem(hash.text)
    case 'scrypt':
    case 'firebase_scrypt':
      return scryptProblem(hash)
    case 'pbkdf2':
      return rangeProblem('The iterations of PBKDF2', hash.iterations, budgets.pbkdf2Hash.count)
  }
}

const rangeProblem = (name: string, value: number, max: number, min = 1): string | undefined =>
  Number.isInteger(value) && value >= min && value <= max
    ? undefined
    : `${name} must be from ${min} to ${max}`

const MIN_BCRYPT_COST = 4

const bcryptProblem = (cost: number) =>
  rangeProblem('The cost of bcrypt', cost, budgets.bcryptHash.count, MIN_BCRYPT_COST)

/** The least memory for each unit of parallelism (RFC 9106, section 3.1). */
const LEAST_KIB = 8
const MAX_PARALLELISM = 16

const argon2Problem = (text: string): string | undefined => {
  const [, memory = 0, passes = 0, parallelism = 0] =
    /\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(text)?.map(Number) ?? []
  const { memory: maxMemory, memoryOfPasses, count: maxPasses } = budgets.argon2Hash
  return (
    rangeProblem('The parallelism of Argon2', parallelism, MAX_PARALLELISM) ??
    rangeProblem('The passes of Argon2', passes, maxPasses) ??
    rangeProblem('The KiB of memory of Argon2', memory, maxMemory / KIB, LEAST_KIB * parallelism) ??
    rangeProblem('KiB · passes of Argon2', memory * passes, memoryOfPasses / KIB)
  )
}

/** The memory of scrypt is 128 · N · r bytes, and the time grows with N · r · p (RFC 7914, section 2). */
const BLOCK_BYTES = 128
/** N must be less than 2 to the power of 128 · r / 8 (RFC 7914, section 2). */
const MAX_LOG_N_PER_BLOCK = 16

const scryptProblem = (hash: Extract<ForeignHash, { logN: number }>): string | undefined => {
  const { logN, blockSize, parallelization } = hash
  const { memory, count } = budgets.scryptHash
  const cost = 2 ** logN * blockSize
  const isPositive = [logN, blockSize, parallelization].every(
    (value) => Number.isInteger(value) && value >= 1,
  )
  if (!isPositive) return 'The cost of scrypt must be positive integers, and N a power of two'
  if (BLOCK_BYTES * cost > memory) return `scrypt must need at most ${memory / MIB} MiB`
  if (logN >= MAX_LOG_N_PER_BLOCK * blockSize) return 'N of scrypt must be less than 2^(16 · r)'
  return cost * parallelization > count ? `N · r · p of scrypt must be at most ${count}` : undefined
}
