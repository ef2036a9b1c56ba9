import type { TriggerOf } from '../../../../shared/contract/reflex-triggers.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../../platform/jobs.ts'
import type { Events } from '../events/events.ts'
import { type DueReflex, lockReflexOwner, SCHEDULE_JOB } from '../firings/firing.ts'
import { listDueReflexes, lockReflex, updateReflexRow } from '../firings/reflex-store.ts'
import type { ReflexRow } from '../firings/table.ts'
import { disabledHandlers, keyOf } from '../registry/handler.ts'
import { nextTime } from './times.ts'

/** Times within this horizon have a job; the sweep of each minute queues later ones. */
const HORIZON_MS = 150_000
const RETRIES = 10
const BATCH = 2_000

export type ScheduleClock = ReturnType<typeof startClock>

/** Fires reflexes at their scheduled times. Times missed while no server ran fire once, late. */
export const startClock = ({ db }: Database, jobs: Jobs, events: Pick<Events, 'fire'>) => {
  const queue = (
    { userId, reflexId, nextAt }: Pick<ReflexRow, 'userId' | 'reflexId' | 'nextAt'>,
    tx?: Db,
  ): Promise<void> | undefined => {
    const inMs = nextAt ? nextAt.getTime() - Date.now() : Number.POSITIVE_INFINITY
    if (!nextAt || inMs > HORIZON_MS) return undefined
    const due = { userId, reflexId, dueAt: nextAt.toISOString() }
    return jobs.send(SCHEDULE_JOB, due, { tx, afterSeconds: Math.max(0, inMs / 1000) })
  }

  /** Fires a reflex and sets its next time. */
  const fire = async (tx: Db, reflex: ReflexRow, dueAt: string): Promise<ReflexRow | undefined> => {
    // The clock of the database may be ahead.
    const after = new Date(Math.max(Date.now(), Date.parse(dueAt)))
    const event = { type: 'schedule', due_at: dueAt, fired_at: new Date().toISOString() } as const
    await events.fire(tx, reflex, { key: `schedule:${dueAt}`, event })
    const nextAt = nextTime(reflex.trigger as TriggerOf<'schedule'>, after)
    return updateReflexRow(tx, reflex, { nextAt })
  }

  const kind: JobKind<DueReflex> = {
    ...SCHEDULE_JOB,
    retries: RETRIES,
    async run({ userId, reflexId, dueAt }) {
      await db.transaction(async (tx) => {
        const owner = await lockReflexOwner(tx, userId)
        const reflex = owner && (await lockReflex(tx, userId, reflexId))
        // The sweep queues it again once the account or the trigger is enabled.
        if (reflex?.nextAt?.toISOString() !== dueAt || owner?.isDisabled) return
        if ((await disabledHandlers(tx)).has(keyOf('trigger_types', 'schedule'))) return
        const next = await fire(tx, reflex, dueAt)
        if (next) await queue(next, tx)
      })
    },
  }
  jobs.work(kind)

  return {
    /** Queues the next time of a reflex, if it is within the horizon. */
    schedule: async (tx: Db, reflex: ReflexRow): Promise<void> => queue(reflex, tx),

    /** Queues all reflexes that are due within the horizon. */
    async queueDue(): Promise<void> {
      const before = new Date(Date.now() + HORIZON_MS)
      for (const due of await listDueReflexes(db, before, BATCH)) await queue(due)
    },
  }
}
