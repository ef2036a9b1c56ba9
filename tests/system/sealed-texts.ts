import postgres from 'postgres'
import {
  createCipher,
  SEALING_PURPOSES,
  type SealingPurpose,
} from '../../server/platform/cipher.ts'
import { runSql } from './support.ts'

/** A text of the database that a secret encrypted. */
interface SealedText {
  /** `table.column`. */
  place: string
  sealed: string
  owner: string
  purpose: SealingPurpose
  text: string
}

const cipherOf = (secret: string, purpose: SealingPurpose) =>
  createCipher({ current: secret, previous: undefined }, purpose)

/** At least an initialization vector and a tag of AES-GCM, in base64url. */
const MAY_BE_SEALED = '^[A-Za-z0-9_-]{38,}$'

/** The rows with texts that may be sealed, with the table of each. */
const readRows = async (url: string) => {
  const sql = postgres(url, { max: 1 })
  try {
    const columns = await sql<{ table: string; column: string }[]>`
      select table_name as table, column_name as column from information_schema.columns
      where table_schema = 'public' and data_type = 'text'`
    const selects = columns.map(
      ({ table, column }) =>
        `select '${table}.${column}' as place, ${column} as sealed, to_jsonb(t) as row
        from ${table} t where ${column} ~ '${MAY_BE_SEALED}'`,
    )
    return await sql.unsafe<{ place: string; sealed: string; row: object }[]>(
      selects.join(' union all '),
    )
  } finally {
    await sql.end()
  }
}

/** Every text of every table that a secret opens, whatever value of its row it is bound to. */
export const findSealed = async (url: string, secret: string): Promise<SealedText[]> => {
  const ciphers = SEALING_PURPOSES.map((purpose) => ({ purpose, ...cipherOf(secret, purpose) }))
  const found: SealedText[] = []
  for (const { place, sealed, row } of await readRows(url))
    for (const owner of new Set(Object.values(row).filter((each) => typeof each === 'string')))
      for (const { purpose, open } of ciphers) {
        const text = open(sealed, owner)
        if (text !== undefined) found.push({ place, sealed, owner, purpose, text })
      }
  return found
}

export const placesOf = (texts: SealedText[]): string[] =>
  [...new Set(texts.map(({ place }) => place))].sort()

/** Encrypts with another secret what one has encrypted, as a process with the other would. */
export const sealAgain = async (url: string, from: string, to: string): Promise<void> => {
  for (const { place, sealed, owner, purpose, text } of await findSealed(url, from)) {
    const [table, column] = place.split('.')
    const again = cipherOf(to, purpose).seal(text, owner)
    await runSql(url, `update ${table} set ${column} = '${again}' where ${column} = '${sealed}'`)
  }
}
