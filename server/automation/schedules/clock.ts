import type { TriggerOf } from '../../../shared/schemas/reflexes.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Events } from '../firings/events.ts'
import { type Due, SCHEDULE_JOB } from '../firings/jobs.ts'
import { holdPerson } from '../firings/person.ts'
import { changeReflex, listDue, lockReflex } from '../reflexes/store.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import { keyOf } from '../registry/handler.ts'
import { switchedOff } from '../registry/switches.ts'
import { nextTime } from './times.ts'

/** What comes within this time has a job of its own; the rest is looked for each minute. */
const AHEAD_MS = 150_000
const RETRIES = 10
const BATCH = 2_000
/** A time is kept to the half second. */
const POLL_SECONDS = 0.5

export type Clock = Awaited<ReturnType<typeof startClock>>

/** Fires reflexes at their times. What came while no server ran is done once, late. */
export const startClock = async ({ db }: Database, jobs: Jobs, events: Pick<Events, 'fire'>) => {
  const queue = (
    { userId, reflexId, nextAt }: Pick<ReflexRow, 'userId' | 'reflexId' | 'nextAt'>,
    tx?: Db,
  ): Promise<void> | undefined => {
    const inMs = nextAt ? nextAt.getTime() - Date.now() : Number.POSITIVE_INFINITY
    if (!nextAt || inMs > AHEAD_MS) return undefined
    const due = { userId, reflexId, dueAt: nextAt.toISOString() }
    return jobs.send(SCHEDULE_JOB, due, { tx, afterSeconds: Math.max(0, inMs / 1000) })
  }

  /** Fires a reflex for its time. @returns it, with its next time. */
  const tick = async (tx: Db, reflex: ReflexRow, dueAt: string): Promise<ReflexRow | undefined> => {
    // The clock of the database may be ahead.
    const after = new Date(Math.max(Date.now(), Date.parse(dueAt)))
    const event = { type: 'schedule', due_at: dueAt, fired_at: new Date().toISOString() } as const
    await events.fire(tx, reflex, { key: `schedule:${dueAt}`, event })
    const nextAt = nextTime(reflex.trigger as TriggerOf<'schedule'>, after)
    return changeReflex(tx, reflex, { nextAt })
  }

  const kind: JobKind<Due> = {
    ...SCHEDULE_JOB,
    retries: RETRIES,
    pollSeconds: POLL_SECONDS,
    async run({ userId, reflexId, dueAt }) {
      await db.transaction(async (tx) => {
        const person = await holdPerson(tx, userId)
        const reflex = person && (await lockReflex(tx, userId, reflexId))
        // The sweep finds what rests while an admin keeps the person out, or time is switched off.
        if (reflex?.nextAt?.toISOString() !== dueAt || person?.isDisabled) return
        if ((await switchedOff(tx)).has(keyOf('trigger_types', 'schedule'))) return
        const next = await tick(tx, reflex, dueAt)
        if (next) await queue(next, tx)
      })
    },
  }
  await jobs.work(kind)

  return {
    /** Has a reflex fire at its time, if that comes soon. */
    arm: async (tx: Db, reflex: ReflexRow): Promise<void> => queue(reflex, tx),

    /** Has all reflexes fire whose time comes soon, or has come. */
    async sweep(): Promise<void> {
      for (const due of await listDue(db, new Date(Date.now() + AHEAD_MS), BATCH)) await queue(due)
    },
  }
}
