import type { UserImportFormat } from '../../../../shared/contract/user-import.ts'
import { isObject, type JsonObject } from '../../../../shared/objects.ts'
import { type ImportedUser, readUser } from '../line.ts'
import type { Problem } from '../problem.ts'
import { betterAuth } from './better-auth.ts'
import { firebase } from './firebase.ts'
import { type FirebaseConfig, identitiesOf, type UserFormat } from './format.ts'
import { pocketbase } from './pocketbase.ts'
import { supabase } from './supabase.ts'

/** The own form of svc; unknown fields are reported. */
const svc: UserFormat = {
  matches: () => true,
  read: (line) => ({ line }),
}

/** In the order of detection: `svc` is last, because it matches everything. */
const formats: Record<Exclude<UserImportFormat, 'auto'>, UserFormat> = {
  supabase,
  firebase,
  'better-auth': betterAuth,
  pocketbase,
  svc,
}

export type CheckedUser =
  | { user: ImportedUser; skippedIdentities: number; skipsFactor: boolean }
  | { problem: Problem }

/** Translates and checks a user. With `auto`, the format is detected for each. */
export const checkUser = (
  record: unknown,
  wanted: UserImportFormat,
  config: FirebaseConfig | undefined,
): CheckedUser => {
  if (!isObject(record)) return { problem: { detail: 'Not a JSON object' } }
  const format =
    wanted === 'auto'
      ? Object.values(formats).find((each) => each.matches(record))
      : formats[wanted]
  const translated = (format ?? svc).read(record, config)
  if ('problem' in translated) return translated
  const { names = {}, skipsFactor = false } = translated
  const { identities, skippedIdentities = 0 } = translated.identities
    ? identitiesOf(translated.identities)
    : {}
  const checked = readUser(
    withoutUndefined({ ...translated.line, ...(identities && { identities }) }),
  )
  return 'user' in checked
    ? { ...checked, skippedIdentities, skipsFactor }
    : { problem: renamed(checked.problem, names) }
}

const withoutUndefined = (line: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined))

/** Names the field as the file does. */
const renamed = ({ field, detail }: Problem, names: Readonly<Record<string, string>>): Problem => {
  if (field === undefined) return { detail }
  const [first = '', ...rest] = field.split('.')
  const name = names[first]
  return { field: name ?? [first, ...rest].join('.'), detail }
}
