import type { Query } from '../../platform/db/database.ts'
import { commonError } from '../../platform/http/error.ts'
import {
  insertMemories,
  type MemoryOwner,
  type NewMemory,
  type StoredMemory,
} from './insert-store.ts'
import { findWriter } from './owner-store.ts'

/** Another writer can be first with the same content only so often. */
const MAX_ATTEMPTS = 5

/**
 * Stores each content once in a thread; repeats for contents that another writer writes at this moment.
 * @returns the memory of each row.
 * @throws ApiError 401 when the writer was deleted meanwhile, 403 when their organization was.
 */
export const storeMemories = async (
  query: Query,
  owner: MemoryOwner,
  rows: NewMemory[],
  engines: readonly string[],
): Promise<StoredMemory[]> => {
  const stored = new Map<number, StoredMemory>()
  let open = [...rows.entries()]
  for (let attempt = 0; open.length > 0; attempt++) {
    if (attempt === MAX_ATTEMPTS) {
      await checkWriter(query, owner)
      throw new Error('the same memory is being written by another writer')
    }
    const inserted = await insertMemories(
      query,
      owner,
      open.map(([, row]) => row),
      engines,
    )
    for (const [place, [index]] of open.entries()) {
      const memory = inserted.get(place)
      if (memory) stored.set(index, memory)
    }
    open = open.filter(([index]) => !stored.has(index))
  }
  return rows.map((_, index) => stored.get(index) as StoredMemory)
}

const checkWriter = async (query: Query, owner: MemoryOwner): Promise<void> => {
  const { userExists, orgExists } = await findWriter(query, owner)
  if (!userExists) throw commonError('bad_credentials')
  if (!orgExists) throw commonError('not_org_member')
}
