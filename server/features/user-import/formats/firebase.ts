import { Type } from '@sinclair/typebox'
import { readValue } from '../../../platform/http/validate.ts'
import {
  type FirebaseConfig,
  instantOf,
  isTrue,
  listOf,
  nameOf,
  textOf,
  type UserFormat,
} from './format.ts'

/** Ways to sign in that are no identity. */
const OWN_PROVIDERS = new Set<unknown>(['password', 'phone'])

/** Users of `firebase auth:export --format=JSON`. */
export const firebase: UserFormat = {
  matches: (record) => 'localId' in record,

  read(record, config) {
    const hash = textOf(record.passwordHash)
    if (hash !== undefined && !config)
      return {
        problem: {
          field: 'passwordHash',
          detail: 'Needs the hash parameters of the project (hash_config)',
        },
      }
    return {
      line: {
        email: record.email,
        email_verified: isTrue(record.emailVerified),
        display_name: nameOf(record.displayName),
        created_at: instantOf(record.createdAt),
        password_hash: hash && config && hashOf(hash, textOf(record.salt) ?? '', config),
        disabled: isTrue(record.disabled),
      },
      identities: listOf(record.providerUserInfo)
        .filter(({ providerId }) => !OWN_PROVIDERS.has(providerId))
        .map(({ providerId, rawId, email }) => ({ provider: providerId, subject: rawId, email })),
      names: {
        email_verified: 'emailVerified',
        password_hash: 'passwordHash',
        identities: 'providerUserInfo',
      },
      skipsFactor: listOf(record.mfaInfo).length > 0,
    }
  },
}

const hashOf = (hash: string, salt: string, config: FirebaseConfig) => ({
  kind: 'firebase_scrypt',
  signer_key: config.signerKey,
  salt_separator: config.saltSeparator,
  rounds: config.rounds,
  mem_cost: config.memCost,
  salt,
  hash,
})

const HashConfig = Type.Object({
  base64_signer_key: Type.String({ minLength: 22, maxLength: 700 }),
  base64_salt_separator: Type.String({ maxLength: 700 }),
  rounds: Type.Integer({ minimum: 1, maximum: 8 }),
  mem_cost: Type.Integer({ minimum: 1, maximum: 14 }),
})

/** Reads the hash parameters as the console of Firebase names them. @returns undefined if they are invalid. */
export const readFirebaseConfig = (value: unknown): FirebaseConfig | undefined => {
  const read = readValue(HashConfig, value)
  if ('errors' in read) return undefined
  const { base64_signer_key, base64_salt_separator, rounds, mem_cost } = read.value
  return {
    signerKey: base64_signer_key,
    saltSeparator: base64_salt_separator,
    rounds,
    memCost: mem_cost,
  }
}
