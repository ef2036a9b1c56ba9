import { defineRetention } from '../../platform/retention.ts'
import { listExpired } from './delete-store.ts'
import { eraseDeleted } from './successors.ts'

const BATCH = 500

/** Erases deleted memories that cannot be restored any more. */
export const deletedMemoryRetention = defineRetention({
  name: 'deleted_memories',
  async run(database) {
    for (;;) {
      const expired = await listExpired(database.query, BATCH)
      for (const { ownerId, memoryId } of expired)
        await database.transaction((query) => eraseDeleted(query, ownerId, memoryId, []))
      if (expired.length < BATCH) return
    }
  },
})
