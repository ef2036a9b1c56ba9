import { hasScope, type Scope } from '../../../../shared/contract/scopes.ts'
import type { Db } from '../../../platform/db/database.ts'
import { findChildren, updateKeyRow } from './store.ts'
import type { ApiKeyRow } from './table.ts'

/** Keys for agents lose the scopes that their parent lost, have its addresses, and are paused and resumed with it. */
export const limitChildren = async (
  tx: Db,
  parent: ApiKeyRow,
  { isPause }: { isPause: boolean },
): Promise<void> => {
  for (const child of await findChildren(tx, parent.id)) {
    const row = await updateKeyRow(tx, child.id, {
      scopes: within(child.scopes, parent.scopes),
      allowedAddresses: parent.allowedAddresses,
      ...(isPause && { pausedAt: parent.pausedAt }),
    })
    if (row) await limitChildren(tx, row, { isPause })
  }
}

/** The scopes that both have. An empty list allows nothing. */
const within = (scopes: Scope[] | null, outer: Scope[] | null): Scope[] | null =>
  outer ? (scopes ?? outer).filter((scope) => hasScope(outer, scope)) : scopes
