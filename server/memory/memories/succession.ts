import type { Database } from '../../platform/db/database.ts'
import { type Actor, lockForSupersession, supersedeMemory } from './change.ts'
import type { MemoryWithThread } from './store.ts'

/** What came of it: done, or left because one of the two is not as it was read any more. */
export type Succession = 'done' | 'earlier changed' | 'later changed'

/** Lets `later` take the place of `earlier`, unless somebody changes one of them at this moment. */
export const succeed = (
  database: Database,
  ownerId: string,
  actor: Actor,
  earlier: MemoryWithThread,
  later: MemoryWithThread,
): Promise<Succession> =>
  database.transaction(async (query) => {
    const ids = [earlier.memoryId, later.memoryId]
    const standing = await lockForSupersession(query, ownerId, ids)
    const isAsRead = ({ memoryId, updatedAt }: MemoryWithThread) => {
      const now = standing.get(memoryId)
      return now?.isSuperseded === false && now.updatedAt.getTime() === updatedAt.getTime()
    }
    if (!isAsRead(later)) return 'later changed'
    if (!isAsRead(earlier)) return 'earlier changed'
    await supersedeMemory(query, ownerId, actor, earlier.memoryId, later.memoryId)
    return 'done'
  })
