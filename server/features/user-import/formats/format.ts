import { parseInstant } from '../../../../shared/contract/common.ts'
import {
  OAUTH_PROVIDER_ALIASES,
  OAUTH_PROVIDERS,
} from '../../../../shared/contract/oauth-sign-in.ts'
import { isObject, type JsonObject } from '../../../../shared/objects.ts'
import type { Problem } from '../problem.ts'

/** The parameters of Firebase's scrypt, which a project has for all of its users. */
export interface FirebaseConfig {
  signerKey: string
  saltSeparator: string
  rounds: number
  memCost: number
}

/** An identity as a file names it. */
export interface ForeignIdentity {
  provider: unknown
  subject: unknown
  email?: unknown
}

/** A user of another system in svc's own form, not checked yet. */
export interface TranslatedUser {
  line: JsonObject
  /** Undefined: those of the line, which has them in svc's form. */
  identities?: ForeignIdentity[]
  /** The names in the file of fields that have another name or form there. */
  names?: Readonly<Record<string, string>>
  /** The user has a second factor that the file does not contain, or that svc does not have. */
  skipsFactor?: boolean
}

/** The export of another system. */
export interface UserFormat {
  /** Detects a user of this format. */
  matches(record: JsonObject): boolean
  read(
    record: JsonObject,
    config: FirebaseConfig | undefined,
  ): TranslatedUser | { problem: Problem }
}

/** A string that is not empty. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The booleans of SQLite are 0 and 1. */
export const isTrue = (value: unknown): boolean => value === true || value === 1

/** @param value an object, or its JSON: a column of SQLite is text. */
export const objectOf = (value: unknown): JsonObject => {
  const parsed = typeof value === 'string' ? parsedJson(value) : value
  return isObject(parsed) ? parsed : {}
}

/** @param value a list of objects, or its JSON. */
export const listOf = (value: unknown): JsonObject[] => {
  const parsed = typeof value === 'string' ? parsedJson(value) : value
  return Array.isArray(parsed) ? parsed.filter(isObject) : []
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * @param value ISO 8601 as PostgreSQL or SQLite write it, or milliseconds since the epoch.
 * @returns undefined for any other value, because a wrong date is no reason to leave out a user.
 */
export const instantOf = (value: unknown): string | undefined => {
  const ms = typeof value === 'string' && /^\d{10,16}$/.test(value) ? Number(value) : value
  const date =
    typeof ms === 'number'
      ? new Date(ms)
      : typeof ms === 'string'
        ? parseInstant(ms.replace(/([+-]\d\d)$/, '$1:00'))
        : undefined
  const time = date?.getTime() ?? Number.NaN
  return time > 0 && time <= Date.now() ? date?.toISOString() : undefined
}

const MAX_NAME = 50

export const nameOf = (...values: unknown[]): string | undefined => {
  const name = values.map((value) => textOf(value)?.trim()).find((each) => each)
  return name === undefined ? undefined : [...name].slice(0, MAX_NAME).join('').trim()
}

/** @param name such as `github`, or `github.com` as Firebase writes it. */
const providerOf = (name: string): string | undefined => {
  const short = name.replace(/\.com$/, '')
  return OAUTH_PROVIDERS.find((each) => each === short) ?? OAUTH_PROVIDER_ALIASES[short]
}

/** Translates identities, and counts those at providers that svc does not have. */
export const identitiesOf = (
  found: readonly ForeignIdentity[],
): { identities: JsonObject[]; skippedIdentities: number } => {
  const identities = found.flatMap(({ provider, subject, email }) => {
    const known = typeof provider === 'string' ? providerOf(provider) : undefined
    const id = typeof subject === 'number' ? String(subject) : subject
    return known ? [{ provider: known, subject: id, email: textOf(email) ?? null }] : []
  })
  return { identities, skippedIdentities: found.length - identities.length }
}
