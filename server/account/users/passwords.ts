import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { ApiError } from '../../platform/http/error.ts'
import { createCommonPasswords } from './common-passwords.ts'

/** Hashes and checks passwords with argon2id (RFC 9106), a few at a time so that the rest of the server goes on. */
export interface Passwords {
  /**
   * For a password that somebody chooses.
   * @throws ApiError 400 for one of the commonest.
   */
  hash(password: string): Promise<string>
  /** Takes as long for an account that has no password, so that time does not tell which exist. */
  verify(password: string, hash: string | null): Promise<boolean>
}

/** What a hash costs: KiB of memory, and how often they are gone through. */
export interface HashingCost {
  memoryCost: number
  timeCost: number
}

const COST: HashingCost = { memoryCost: 65_536, timeCost: 2 }

export const createPasswords = (cost = COST): Passwords => {
  const limited = pLimit(Math.max(1, availableParallelism() - 1))
  const hash = (password: string) =>
    limited(() => Bun.password.hash(password, { algorithm: 'argon2id', ...cost }))
  const isCommon = createCommonPasswords()
  let nobody: Promise<string> | undefined

  return {
    async hash(password) {
      if (await isCommon(password))
        throw new ApiError(400, 'This password is among the commonest; choose another one')
      return hash(password)
    },
    async verify(password, known) {
      nobody ??= hash(crypto.randomUUID())
      const against = known ?? (await nobody)
      const matches = await limited(() => Bun.password.verify(password, against))
      return matches && known !== null
    },
  }
}
