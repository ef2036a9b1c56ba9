import type { Database } from '../../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import { type ConfirmationService, EXPIRES_AFTER_MS } from '../confirmations/service.ts'
import { FIRING_JOB } from '../firings/firing.ts'
import { listResumable, listUnconfirmedSince, updateFiring } from '../firings/store.ts'
import { disabledHandlers } from '../registry/handler.ts'

const BATCH = 1_000
const EACH_MINUTE = '* * * * *'

/** Queues due reflexes, resumes firings that can run again, and expires confirmations. */
export const startSweep = async (
  database: Database,
  jobs: Jobs,
  {
    confirmations,
    queueDueReflexes,
  }: {
    confirmations: Pick<ConfirmationService, 'expire'>
    queueDueReflexes(): Promise<void>
  },
) => {
  const { db, query } = database

  const resumeFirings = async (): Promise<void> => {
    const disabled = [...(await disabledHandlers(db))]
    for (const { userId, firingId } of await listResumable(query, disabled, BATCH))
      await db.transaction(async (tx) => {
        await updateFiring(tx, { userId, firingId }, { blockedBy: null, error: null })
        await jobs.send(FIRING_JOB, { userId, firingId }, { tx })
      })
  }

  const expireConfirmations = async (): Promise<void> => {
    const before = new Date(Date.now() - EXPIRES_AFTER_MS)
    for (const firing of await listUnconfirmedSince(db, before, BATCH))
      await db.transaction((tx) => confirmations.expire(tx, firing))
  }

  const sweep: JobKind<object> = {
    name: 'reflex-sweep',
    retries: 0,
    keyOf: () => 'all',
    async run() {
      await queueDueReflexes()
      await resumeFirings()
      await expireConfirmations()
    },
  }
  jobs.repeat(sweep, {}, EACH_MINUTE)
  // Resumes the work of the previous server without waiting for the minute.
  await jobs.send(sweep, {})

  return {
    /** Sweeps at once. */
    now: (): Promise<void> => jobs.send(sweep, {}),
  }
}
