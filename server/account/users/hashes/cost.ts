import { budgets } from '../../../platform/budgets.ts'
import type { ForeignHash } from './hash.ts'

const MIB = 2 ** 20
const KIB = 2 ** 10

/**
 * Anyone with the address can make the server verify a password, so a hash must not cost much more than one
 * of svc.
 * @returns why the hash is refused, or undefined.
 */
export const costProblem = (hash: ForeignHash): string | undefined => {
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
