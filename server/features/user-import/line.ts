import { type Static, Type } from '@sinclair/typebox'
import {
  Nullable,
  OneOf,
  parseInstant,
  Timestamp,
  withDefault,
} from '../../../shared/contract/common.ts'
import { OAUTH_PROVIDERS } from '../../../shared/contract/oauth-sign-in.ts'
import type { JsonObject } from '../../../shared/objects.ts'
import { emailProblem, normalizeEmail } from '../../account/users/email-address.ts'
import { formatHash } from '../../account/users/hashes/hash.ts'
import { readValue } from '../../platform/http/validate.ts'
import { readPasswordHash } from './password-hash.ts'
import type { Problem } from './problem.ts'

const Identity = Type.Object({
  provider: OneOf(OAUTH_PROVIDERS),
  subject: Type.String({ minLength: 1, maxLength: 255 }),
  email: Type.Optional(Nullable(Type.String({ maxLength: 255 }))),
})

const MAX_IDENTITIES = 20

/** A user of a file in svc's own form. The formats of other systems are translated to it. */
const UserLine = Type.Object({
  email: Type.String({ minLength: 1, maxLength: 255, trim: true }),
  email_verified: withDefault(Type.Boolean(), false),
  username: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 255 }))),
  display_name: Type.Optional(
    Nullable(Type.String({ minLength: 1, maxLength: 50, trim: true }), { trim: true }),
  ),
  created_at: Type.Optional(Nullable(Timestamp())),
  password_hash: Type.Optional(Type.Unknown()),
  totp_secret: Type.Optional(Nullable(Type.String())),
  identities: withDefault(Type.Array(Identity, { maxItems: MAX_IDENTITIES }), []),
  disabled: withDefault(Type.Boolean(), false),
})

export interface ImportedUser {
  email: string
  emailVerified: boolean
  username: string | undefined
  displayName: string | undefined
  createdAt: Date | undefined
  passwordHash: string | undefined
  /** In Base32. */
  totpSecret: string | undefined
  identities: Static<typeof Identity>[]
  isDisabled: boolean
}

/** 10 bytes and more: a shorter secret can be guessed from some codes. */
const TOTP_SECRET = /^[A-Z2-7]{16,128}$/

/** Checks a user in svc's own form. */
export const readUser = (line: JsonObject): { user: ImportedUser } | { problem: Problem } => {
  const unknown = Object.keys(line).find((key) => !Object.hasOwn(UserLine.properties, key))
  if (unknown !== undefined)
    return { problem: { field: unknown.slice(0, 100), detail: 'Unknown field' } }
  const read = readValue(UserLine, line)
  if ('errors' in read) {
    const [first] = read.errors
    const field = first?.loc.slice(1).join('.') ?? ''
    return { problem: { ...(field && { field }), detail: first?.msg ?? 'Invalid' } }
  }
  return readFields(read.value)
}

const readFields = (value: Static<typeof UserLine>) => {
  const email = normalizeEmail(value.email)
  if (emailProblem(email) === 'malformed') return fieldProblem('email', 'Invalid email address')
  const createdAt = value.created_at ? parseInstant(value.created_at) : undefined
  if (createdAt && createdAt.getTime() > Date.now())
    return fieldProblem('created_at', 'Must not be in the future')
  const subjects = value.identities.map(({ provider, subject }) => `${provider} ${subject}`)
  if (new Set(subjects).size < subjects.length)
    return fieldProblem('identities', 'Must not name an identity twice')
  const totpSecret = value.totp_secret?.replace(/[\s=]/g, '').toUpperCase()
  if (totpSecret !== undefined && !TOTP_SECRET.test(totpSecret))
    return fieldProblem('totp_secret', 'Must be Base32 with 16 to 128 characters')
  const password = value.password_hash == null ? undefined : readPasswordHash(value.password_hash)
  if (password && 'problem' in password) {
    const { field, detail } = password.problem
    return fieldProblem(field ? `password_hash.${field}` : 'password_hash', detail)
  }
  return {
    user: {
      email,
      emailVerified: value.email_verified,
      username: value.username ?? undefined,
      displayName: value.display_name ?? undefined,
      createdAt,
      passwordHash: password && formatHash(password.hash),
      totpSecret,
      identities: value.identities,
      isDisabled: value.disabled,
    },
  }
}

const fieldProblem = (field: string, detail: string): { problem: Problem } => ({
  problem: { field, detail },
})
