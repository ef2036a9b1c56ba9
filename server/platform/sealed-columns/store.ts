import type { SealingPurpose } from '../cipher.ts'
import type { Query } from '../db/database.ts'

/** A column of encrypted texts, and the columns that identify a row. */
export interface SealedColumn {
  table: string
  column: string
  /** The purpose of the cipher that encrypts it. */
  purpose: SealingPurpose
  /** The type of `owner` and `id`. */
  keys: 'uuid' | 'text'
  /** The id that each text is bound to. */
  owner: string
  /** With the owner, the primary key. */
  id: string
}

export interface SealedRow {
  owner: string
  id: string
  sealed: string
}

export const PAGE = 500

/** No row has these keys or lower ones. */
export const LOWEST_KEY = { uuid: '00000000-0000-0000-0000-000000000000', text: '' }

/** The rows after one, in the order of their keys. */
export const listSealed = (
  query: Query,
  { table, column, owner, id, keys }: SealedColumn,
  after: Pick<SealedRow, 'owner' | 'id'>,
): Promise<SealedRow[]> =>
  query<SealedRow>(
    `select ${owner} as owner, ${id} as id, ${column} as sealed from ${table}
    where ${column} is not null and (${owner}, ${id}) > ($1::${keys}, $2::${keys})
    order by ${owner}, ${id} limit ${PAGE}`,
    [after.owner, after.id],
  )

/** Replaces the text of a row, unless it has changed. */
export const replaceSealed = async (
  query: Query,
  { table, column, owner, id, keys }: SealedColumn,
  row: SealedRow,
  sealed: string,
): Promise<void> => {
  await query(
    `update ${table} set ${column} = $4
    where ${owner} = $1::${keys} and ${id} = $2::${keys} and ${column} = $3`,
    [row.owner, row.id, row.sealed, sealed],
  )
}
