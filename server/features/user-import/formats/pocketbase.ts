import { instantOf, isTrue, listOf, nameOf, textOf, type UserFormat } from './format.ts'

/**
 * Rows of the table of an auth collection, with the rows of `_externalAuths` as the list `externalAuths`. The
 * column of the hash is `passwordHash`, and `password` since version 0.23.
 */
export const pocketbase: UserFormat = {
  matches: (record) => 'tokenKey' in record || ('collectionName' in record && 'verified' in record),

  read(record) {
    const column = 'passwordHash' in record ? 'passwordHash' : 'password'
    return {
      line: {
        email: record.email,
        email_verified: isTrue(record.verified),
        username: textOf(record.username),
        display_name: nameOf(record.name, record.username),
        created_at: instantOf(record.created),
        password_hash: textOf(record[column]),
      },
      identities: listOf(record.externalAuths).map(({ provider, providerId }) => ({
        provider,
        subject: providerId,
      })),
      names: { email_verified: 'verified', password_hash: column, identities: 'externalAuths' },
    }
  },
}
