import { type Static, type TObject, Type } from '@sinclair/typebox'
import { OneOf } from '../../../shared/contract/common.ts'
import { isObject } from '../../../shared/objects.ts'
import { type ForeignHash, PBKDF2_DIGESTS } from '../../account/users/hashes/hash.ts'
import {
  checkHash,
  fromBase64,
  MAX_HASH_CHARACTERS,
  parseHash,
} from '../../account/users/hashes/parse.ts'
import { readValue } from '../../platform/http/validate.ts'
import type { Problem } from './problem.ts'

type ReadHash = { hash: ForeignHash } | { problem: Problem }

const Text = () => Type.String({ maxLength: MAX_HASH_CHARACTERS })
const Count = () => Type.Integer({ minimum: 1 })

const Encoded = Type.Object({ hash: Text() })
const Scrypt = Type.Object({ n: Count(), r: Count(), p: Count(), salt: Text(), hash: Text() })
const Pbkdf2 = Type.Object({
  digest: OneOf(PBKDF2_DIGESTS),
  iterations: Count(),
  salt: Text(),
  hash: Text(),
})
const Firebase = Type.Object({
  signer_key: Text(),
  salt_separator: Text(),
  rounds: Count(),
  mem_cost: Count(),
  salt: Text(),
  hash: Text(),
})

/** Reads `password_hash` of a line: a text, or an object with its kind. Salts and hashes are Base64. */
export const readPasswordHash = (value: unknown): ReadHash => {
  if (typeof value === 'string') return withDetail(parseHash(value))
  if (!isObject(value)) return { problem: { detail: 'Must be a text or an object' } }
  const kind = KINDS.find((each) => each === value.kind)
  return kind ? readers[kind](value) : { problem: { field: 'kind', detail: KINDS_DETAIL } }
}

const withDetail = (parsed: ReturnType<typeof parseHash>): ReadHash =>
  'hash' in parsed ? parsed : { problem: { detail: parsed.problem } }

const KINDS = ['bcrypt', 'argon2id', 'scrypt', 'pbkdf2', 'firebase_scrypt'] as const
const KINDS_DETAIL = `Must be one of ${KINDS.join(', ')}`

/** Validates the object, decodes its parts, and checks the hash that `create` makes of them. */
const reader =
  <T extends TObject, K extends string & keyof Static<T>>(
    schema: T,
    parts: readonly K[],
    create: (fields: Static<T>, bytes: Record<K, Buffer>) => ForeignHash | undefined,
  ) =>
  (value: unknown): ReadHash => {
    const read = readValue(schema, value)
    if ('errors' in read) {
      const [first] = read.errors
      return {
        problem: { field: first?.loc.slice(1).join('.') ?? '', detail: first?.msg ?? 'Invalid' },
      }
    }
    const fields = read.value
    const bytes = {} as Record<K, Buffer>
    for (const part of parts) {
      const decoded = fromBase64(String(fields[part]))
      if (!decoded) return { problem: { field: part, detail: 'Must be Base64' } }
      bytes[part] = decoded
    }
    const hash = create(fields, bytes)
    return hash
      ? withDetail(checkHash(hash))
      : { problem: { field: 'n', detail: 'Must be a power of two' } }
  }

/** A text in a format that names its own cost, of the kind that the object names. */
const readEncoded =
  (kind: ForeignHash['kind']) =>
  (value: unknown): ReadHash => {
    const read = readValue(Encoded, value)
    if ('errors' in read) return { problem: { field: 'hash', detail: 'Must be a text' } }
    const parsed = parseHash(read.value.hash)
    if ('problem' in parsed) return { problem: { field: 'hash', detail: parsed.problem } }
    return parsed.hash.kind === kind
      ? parsed
      : { problem: { field: 'hash', detail: `Not a hash of ${kind}` } }
  }

const readers: Record<(typeof KINDS)[number], (value: unknown) => ReadHash> = {
  bcrypt: readEncoded('bcrypt'),
  argon2id: readEncoded('argon2'),
  scrypt: reader(Scrypt, ['salt', 'hash'], ({ n, r, p }, bytes) => {
    const logN = Math.log2(n)
    return Number.isInteger(logN)
      ? { kind: 'scrypt', logN, blockSize: r, parallelization: p, isNormalized: false, ...bytes }
      : undefined
  }),
  pbkdf2: reader(Pbkdf2, ['salt', 'hash'], ({ digest, iterations }, bytes) => ({
    kind: 'pbkdf2',
    digest,
    iterations,
    ...bytes,
  })),
  firebase_scrypt: reader(
    Firebase,
    ['signer_key', 'salt_separator', 'salt', 'hash'],
    ({ rounds, mem_cost }, { signer_key, salt_separator, ...bytes }) => ({
      kind: 'firebase_scrypt',
      logN: mem_cost,
      blockSize: rounds,
      parallelization: 1,
      signerKey: signer_key,
      saltSeparator: salt_separator,
      ...bytes,
    }),
  ),
}
