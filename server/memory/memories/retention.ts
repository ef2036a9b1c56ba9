import { defineRetention } from '../../platform/retention.ts'
import { eraseMemory, listExpired } from './delete-store.ts'

const BATCH = 500

/** Erases deleted memories that cannot be restored any more. */
export const deletedMemoryRetention = defineRetention({
  name: 'deleted_memories',
  async run(database) {
    for (;;) {
      const expired = await listExpired(database.query, BATCH)
      for (const { ownerId, memoryId } of expired)
        await database.transaction((query) => eraseMemory(query, ownerId, memoryId))
      if (expired.length < BATCH) return
    }
  },
})
