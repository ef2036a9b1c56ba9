import type { Db } from '../../platform/db/database.ts'
import type { JobName, Jobs } from '../../platform/jobs.ts'

/** A firing that is to be done. */
export interface FiringRef {
  userId: string
  firingId: string
}

/** A reflex whose time comes. */
export interface Due {
  userId: string
  reflexId: string
  /** The time as it was when the job was queued: a reflex that has another by now is left alone. */
  dueAt: string
}

export const SCHEDULE_JOB: JobName<Due> = {
  name: 'reflex-schedule',
  keyOf: ({ reflexId, dueAt }) => `${reflexId} ${dueAt}`,
}

/** Takes back what is queued for somebody who is deleted, within the transaction that deletes them. */
export const eraseFirings =
  (jobs: Jobs) =>
  async (tx: Db, { id: userId }: { id: string }): Promise<void> => {
    await jobs.forget(FIRING_JOB, { userId }, tx)
    await jobs.forget(OUTSIDE_JOB, { userId }, tx)
    await jobs.forget(SCHEDULE_JOB, { userId }, tx)
  }

export const FIRING_JOB: JobName<FiringRef> = {
  name: 'reflex-firing',
  keyOf: ({ firingId }) => firingId,
  groupOf: ({ userId }) => userId,
}

/** A firing that asks another server, which may take its time. */
export const OUTSIDE_JOB: JobName<FiringRef> = { ...FIRING_JOB, name: 'reflex-outside' }
