import { instantOf, isTrue, listOf, nameOf, objectOf, textOf, type UserFormat } from './format.ts'

/** Rows of `auth.users`, with the rows of `auth.identities` and `auth.mfa_factors` as lists. */
export const supabase: UserFormat = {
  matches: (record) => 'encrypted_password' in record || 'raw_user_meta_data' in record,

  read(record) {
    if (record.deleted_at)
      return { problem: { field: 'deleted_at', detail: 'The user is deleted' } }
    const meta = objectOf(record.raw_user_meta_data)
    const factors = listOf(record.mfa_factors).filter(({ status }) => status === 'verified')
    const secret = textOf(factors.find(({ factor_type }) => factor_type === 'totp')?.secret)
    return {
      line: {
        email: record.email,
        email_verified: Boolean(record.email_confirmed_at ?? record.confirmed_at),
        display_name: nameOf(meta.display_name, meta.full_name, meta.name),
        created_at: instantOf(record.created_at),
        password_hash: textOf(record.encrypted_password),
        totp_secret: secret,
        disabled: isBanned(record.banned_until),
      },
      identities: listOf(record.identities)
        .filter(({ provider }) => provider !== 'email' && provider !== 'phone')
        .map(({ provider, provider_id, identity_data }) => {
          const data = objectOf(identity_data)
          return { provider, subject: provider_id ?? data.sub, email: data.email }
        }),
      names: {
        email_verified: 'email_confirmed_at',
        password_hash: 'encrypted_password',
        totp_secret: 'mfa_factors',
        identities: 'identities',
      },
      skipsFactor: factors.length > 0 && secret === undefined,
    }
  },
}

/** A ban without an end has a date in the far future. A past one has ended. */
const isBanned = (until: unknown): boolean =>
  isTrue(until) || (typeof until === 'string' && until !== '' && instantOf(until) === undefined)
