import type { Cipher } from '../cipher.ts'
import type { Query } from '../db/database.ts'
import { listSealed, PAGE, replaceSealed, type SealedColumn } from './store.ts'

export type { SealedColumn }

const LOWEST_ID = '00000000-0000-0000-0000-000000000000'

/** Encrypts with the current secret all that the previous one encrypted. */
export const resealColumn = async (
  query: Query,
  cipher: Pick<Cipher, 'reseal'>,
  column: SealedColumn,
): Promise<void> => {
  let last: { owner: string; id: string } | undefined = { owner: LOWEST_ID, id: LOWEST_ID }
  while (last) {
    const rows = await listSealed(query, column, last)
    await Promise.all(
      rows.map(async (row) => {
        const sealed = cipher.reseal(row.sealed, row.owner)
        if (sealed !== undefined) await replaceSealed(query, column, row, sealed)
      }),
    )
    last = rows.length === PAGE ? rows.at(-1) : undefined
  }
}
