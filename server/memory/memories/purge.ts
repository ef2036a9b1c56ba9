import type { Database } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { eraseMemory } from './change.ts'

/** Every night, when few are about. */
const NIGHTLY = '17 3 * * *'
const BATCH = 500
const RETRIES = 3

const LONG_FORGOTTEN = `
select owner_id, memory_id from memories
where deleted_at < now() - interval '30 days' order by deleted_at limit $1`

/** Erases what was forgotten so long ago that it cannot be restored any more. */
export const startPurge = async (database: Database, jobs: Jobs): Promise<void> => {
  const purge: JobKind<object> = {
    name: 'memory-purge',
    retries: RETRIES,
    keyOf: () => 'all',
    pollSeconds: 60,
    async run() {
      for (;;) {
        const rows = await database.query<{ owner_id: string; memory_id: string }>(LONG_FORGOTTEN, [
          BATCH,
        ])
        for (const { owner_id, memory_id } of rows) await eraseMemory(database, owner_id, memory_id)
        if (rows.length < BATCH) return
      }
    },
  }
  await jobs.repeat(purge, {}, NIGHTLY)
  // A server that is not on at night looks when it starts.
  await jobs.send(purge, {})
}
