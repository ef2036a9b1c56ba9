import type { Database } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import { type ConfirmationService, EXPIRES_AFTER_MS } from '../confirmations/service.ts'
import { switchedOff } from '../registry/switches.ts'
import { FIRING_JOB } from './jobs.ts'
import { changeFiring, listResting, listUndecided, pruneFirings } from './store.ts'

const KEPT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000
const BATCH = 1_000
const EACH_MINUTE = '* * * * *'
const EACH_HOUR = '17 * * * *'
const POLL_SECONDS = 5

/** Looks for what rests, and can go on; and takes away what is over. */
export const startSweep = async (
  database: Database,
  jobs: Jobs,
  {
    confirmations,
    sweepSchedules,
    prune,
  }: {
    confirmations: Pick<ConfirmationService, 'expire'>
    sweepSchedules(): Promise<void>
    /** What else is kept for a time only. */
    prune: readonly ((before: Date) => Promise<void>)[]
  },
) => {
  const { db, query } = database

  const wake = async (): Promise<void> => {
    const off = [...(await switchedOff(db))]
    for (const { userId, firingId } of await listResting(query, off, BATCH))
      await db.transaction(async (tx) => {
        await changeFiring(tx, { userId, firingId }, { heldBy: null, error: null })
        await jobs.send(FIRING_JOB, { userId, firingId }, { tx })
      })
  }

  const expire = async (): Promise<void> => {
    const before = new Date(Date.now() - EXPIRES_AFTER_MS)
    for (const firing of await listUndecided(db, before, BATCH))
      await db.transaction((tx) => confirmations.expire(tx, firing))
  }

  const sweep: JobKind<object> = {
    name: 'reflex-sweep',
    retries: 0,
    keyOf: () => 'all',
    pollSeconds: POLL_SECONDS,
    async run() {
      await sweepSchedules()
      await wake()
      await expire()
    },
  }
  const pruning: JobKind<object> = {
    name: 'automation-prune',
    retries: 0,
    pollSeconds: POLL_SECONDS,
    async run() {
      const before = new Date(Date.now() - KEPT_DAYS * DAY_MS)
      await pruneFirings(db, before)
      for (const take of prune) await take(before)
    },
  }
  await jobs.repeat(sweep, {}, EACH_MINUTE)
  await jobs.repeat(pruning, {}, EACH_HOUR)
  // What the last server left behind need not wait for the minute.
  await jobs.send(sweep, {})

  return {
    /** Looks at once for what can go on. */
    now: (): Promise<void> => jobs.send(sweep, {}),
  }
}
