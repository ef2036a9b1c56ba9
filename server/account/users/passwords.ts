import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'

/** Hashes and checks passwords with argon2id (RFC 9106), a few at a time so that the rest of the server goes on. */
export interface Passwords {
  hash(password: string): Promise<string>
  /** Takes as long for an account that has no password, so that time does not tell which exist. */
  verify(password: string, hash: string | null): Promise<boolean>
}

export const createPasswords = (): Passwords => {
  const limited = pLimit(Math.max(1, availableParallelism() - 1))
  const hash = (password: string) =>
    limited(() => Bun.password.hash(password, { algorithm: 'argon2id' }))
  let nobody: Promise<string> | undefined

  return {
    hash,
    async verify(password, known) {
      nobody ??= hash(crypto.randomUUID())
      const against = known ?? (await nobody)
      const matches = await limited(() => Bun.password.verify(password, against))
      return matches && known !== null
    },
  }
}
