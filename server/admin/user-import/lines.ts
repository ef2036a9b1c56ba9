import type { UserImportFormat } from '../../../shared/contract/user-import.ts'
import { isObject } from '../../../shared/objects.ts'
import { parseRecord, readHead, readRecords } from '../../memory/transfer/formats/records.ts'
import { budgets } from '../../platform/budgets.ts'
import { createPacer } from '../../platform/event-loop.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { readFirebaseConfig } from './formats/firebase.ts'
import type { FirebaseConfig } from './formats/format.ts'
import { type CheckedUser, checkUser } from './formats/index.ts'

/** Keys of the list of users in files that consist of one object. */
const USER_LISTS: ReadonlySet<string> = new Set(['users', 'items'])

const KIB = 1024

const hashConfigError = defineErrors({
  hash_config_invalid: {
    status: 422,
    detail: [
      {
        loc: ['body', 'hash_config'],
        type: 'value_error',
        msg: 'Must have base64_signer_key, base64_salt_separator, rounds (1-8) and mem_cost (1-14), as the Firebase console shows them',
      },
    ],
  },
})

/** A user of a file, or the problem of the line, with its number. */
export type UserLine = { line: number } & CheckedUser

/**
 * Yields the users of a file while it is received. The hash parameters of Firebase are the key `hash_config` at
 * the start of the file, or a line by themselves.
 * @throws ApiError 422 for invalid hash parameters.
 */
export async function* readUserLines(
  file: AsyncIterable<Uint8Array>,
  format: UserImportFormat,
): AsyncGenerator<UserLine> {
  const { config: first, all } = await readConfig(file)
  let config = first
  const pacer = createPacer()
  for await (const record of readRecords(all, USER_LISTS)) {
    if (pacer.isDue()) await pacer.yield()
    const line = record.number
    const { bytes } = budgets.importedUser
    if ('bytes' in record && record.bytes.byteLength > bytes) {
      yield { line, problem: { detail: `Larger than ${bytes / KIB} KiB` } }
      continue
    }
    const parsed = parseRecord(record)
    if ('problem' in parsed) {
      yield { line, problem: { detail: parsed.problem } }
      continue
    }
    const { value } = parsed
    if (!isObject(value) || !('hash_config' in value)) {
      yield { line, ...checkUser(value, format, config) }
      continue
    }
    const { hash_config, ...user } = value
    config = parseConfig(hash_config)
    if (Object.keys(user).length > 0) yield { line, ...checkUser(user, format, config) }
  }
}

const parseConfig = (value: unknown): FirebaseConfig => {
  const config = readFirebaseConfig(value)
  if (!config) throw hashConfigError('hash_config_invalid')
  return config
}

/** Enough for the parameters, which are before the list of users. */
const HEAD_BYTES = 4 * KIB

/** Reads the hash parameters in front of a list of users. */
const readConfig = async (file: AsyncIterable<Uint8Array>) => {
  const { head, all } = await readHead(file, HEAD_BYTES)
  const found = /^\uFEFF?\s*\{\s*"hash_config"\s*:\s*(\{[^{}]*\})/.exec(head.toString())?.[1]
  return { config: found === undefined ? undefined : parseConfig(parseJson(found)), all }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
