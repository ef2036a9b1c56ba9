import { type Cipher, createCipher } from '../cipher.ts'
import type { Query } from '../db/database.ts'
import type { AuthSecrets } from '../secrets/derived-keys.ts'
import { LOWEST_KEY, listSealed, PAGE, replaceSealed, type SealedColumn } from './store.ts'

export type { SealedColumn }

/** Encrypts with the current secret all that the previous one encrypted. */
export const resealColumns = async (
  query: Query,
  authSecrets: AuthSecrets,
  columns: readonly SealedColumn[],
): Promise<void> => {
  if (authSecrets.previous === undefined) return
  for (const column of columns)
    await resealColumn(query, createCipher(authSecrets, column.purpose), column)
}

const resealColumn = async (
  query: Query,
  cipher: Pick<Cipher, 'reseal'>,
  column: SealedColumn,
): Promise<void> => {
  const lowest = LOWEST_KEY[column.keys]
  let last: { owner: string; id: string } | undefined = { owner: lowest, id: lowest }
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
