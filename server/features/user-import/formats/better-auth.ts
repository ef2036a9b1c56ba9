import type { JsonObject } from '../../../../shared/objects.ts'
import { formatHash } from '../../../account/users/hashes/hash.ts'
import { instantOf, isTrue, listOf, nameOf, textOf, type UserFormat } from './format.ts'

/** The parameters of its scrypt, which it does not store. */
const COST = { logN: 14, blockSize: 16, parallelization: 1 }

/** The provider of the account with the password. */
const CREDENTIAL = 'credential'

/** Rows of `user`, with the rows of `account` as the list `accounts`. */
export const betterAuth: UserFormat = {
  matches: (record) =>
    'emailVerified' in record && !('localId' in record) && ('accounts' in record || 'id' in record),

  read(record) {
    const accounts = listOf(record.accounts)
    const password = textOf(accounts.find(({ providerId }) => providerId === CREDENTIAL)?.password)
    return {
      line: {
        email: record.email,
        email_verified: isTrue(record.emailVerified),
        username: textOf(record.username),
        display_name: nameOf(record.name),
        created_at: instantOf(record.createdAt),
        password_hash: password && storedHash(password),
        disabled: isBanned(record),
      },
      identities: accounts
        .filter(({ providerId }) => providerId !== CREDENTIAL)
        .map(({ providerId, accountId }) => ({ provider: providerId, subject: accountId })),
      names: {
        email_verified: 'emailVerified',
        password_hash: 'accounts.password',
        identities: 'accounts',
      },
      // Its secrets are encrypted.
      skipsFactor: isTrue(record.twoFactorEnabled),
    }
  },
}

/** better-auth lifts a ban that has expired at the next sign-in. */
const isBanned = ({ banned, banExpires }: JsonObject): boolean =>
  isTrue(banned) && instantOf(banExpires) === undefined

/** `salt:key` in hexadecimal; the salt is used as text. Any other hash is of an own `password.hash`. */
const storedHash = (password: string): string => {
  const found = /^([0-9a-f]{32}):([0-9a-f]{128})$/i.exec(password)
  if (!found) return password
  const [, salt = '', key = ''] = found
  const hash = Buffer.from(key, 'hex')
  return formatHash({ kind: 'scrypt', ...COST, isNormalized: true, salt: Buffer.from(salt), hash })
}
