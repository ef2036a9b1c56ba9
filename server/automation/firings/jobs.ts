import type { Db } from '../../platform/db/database.ts'
import type { JobName, Jobs } from '../../platform/jobs.ts'

export interface FiringRef {
  userId: string
  firingId: string
}

/** A scheduled time of a reflex. */
export interface DueReflex {
  userId: string
  reflexId: string
  /** ISO 8601. A reflex that is due at another time by the time of the job does not fire. */
  dueAt: string
}

export const SCHEDULE_JOB: JobName<DueReflex> = {
  name: 'reflex-schedule',
  keyOf: ({ reflexId, dueAt }) => `${reflexId} ${dueAt}`,
}

export const FIRING_JOB: JobName<FiringRef> = {
  name: 'reflex-firing',
  keyOf: ({ firingId }) => firingId,
  groupOf: ({ userId }) => userId,
}

/** Runs actions that call another server, which may be slow. */
export const OUTSIDE_JOB: JobName<FiringRef> = { ...FIRING_JOB, name: 'reflex-outside' }

/** Removes the queued jobs of a user, within the transaction that deletes the account. */
export const eraseFirings =
  (jobs: Jobs) =>
  async (tx: Db, { id: userId }: { id: string }): Promise<void> => {
    await jobs.forget(FIRING_JOB, { userId }, tx)
    await jobs.forget(OUTSIDE_JOB, { userId }, tx)
    await jobs.forget(SCHEDULE_JOB, { userId }, tx)
  }
