import type { UserImportFormat } from '../../../shared/contract/user-import.ts'
import { isObject } from '../../../shared/objects.ts'
import { budgets } from '../../platform/budgets.ts'
import { createPacer } from '../../platform/event-loop.ts'
import { defineErrors } from '../../platform/http/error.ts'
import { parseRecord, readRecords } from '../../platform/records/records.ts'
import { readFirebaseConfig } from './formats/firebase.ts'
import type { FirebaseConfig } from './formats/format.ts'
import { type CheckedUser, checkUser } from './formats/index.ts'

const USER_RECORDS = {
  listKeys: new Set(['users', 'items']),
  maxBytes: budgets.importedUser.bytes,
}

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
  let config: FirebaseConfig | undefined
  const onHead = (head: Buffer) => {
    config = configIn(head.toString())
  }
  const pacer = createPacer()
  for await (const record of readRecords(file, { ...USER_RECORDS, onHead })) {
    if (pacer.isDue()) await pacer.yield()
    const line = record.number
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

/** Reads the hash parameters in front of a list of users. */
const configIn = (head: string): FirebaseConfig | undefined => {
  const found = /^\uFEFF?\s*\{\s*"hash_config"\s*:\s*(\{[^{}]*\})/.exec(head)?.[1]
  return found === undefined ? undefined : parseConfig(parseJson(found))
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
