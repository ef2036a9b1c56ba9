import type { TriggerEvent } from '../../../shared/schemas/reflexes.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { isMet } from '../conditions/conditions.ts'
import { countFiring, listActive } from '../reflexes/store.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import { keyOf } from '../registry/handler.ts'
import { switchedOff } from '../registry/switches.ts'
import { isTriggeredBy } from '../triggers/handlers.ts'
import { FIRING_JOB } from './jobs.ts'
import { holdPerson } from './person.ts'
import { changeFiring, deleteFiring, insertFiring } from './store.ts'

/** A reflex that fires without end does no more than this. */
const MAX_FIRINGS_AN_HOUR = 60

/** Something that may trigger reflexes. */
export interface Happening {
  /** Names it: of the same a reflex fires once, whatever is tried again. */
  key: string
  event: TriggerEvent
  /** Reflexes that were made later let it go. */
  since?: Date
}

/** Whether an event is one that a reflex waits for, as it stands. */
export const appliesTo = (
  { trigger, conditions }: Pick<ReflexRow, 'trigger' | 'conditions'>,
  event: TriggerEvent,
): boolean => isTriggeredBy(trigger, event) && conditions.every((each) => isMet(event, each))

export type Events = ReturnType<typeof createEvents>

/** Has what happens trigger the reflexes of a person, within the transaction that it happens in. */
export const createEvents = (jobs: Jobs) => {
  /** Queues a firing, once for each event, unless there were too many within the hour. */
  const fire = async (tx: Db, reflex: ReflexRow, { key, event }: Happening): Promise<void> => {
    const { userId, reflexId } = reflex
    const firing = { userId, firingId: Bun.randomUUIDv7() }
    const isNew = await insertFiring(tx, {
      ...firing,
      reflexId,
      eventKey: key,
      event,
      state: 'pending',
    })
    if (!isNew) return
    // A time comes once a minute at most, by itself.
    if (event.type === 'schedule') return jobs.send(FIRING_JOB, firing, { tx })
    const excess = (await countFiring(tx, reflex)) - MAX_FIRINGS_AN_HOUR
    if (excess <= 0) await jobs.send(FIRING_JOB, firing, { tx })
    // The first tells that there are more.
    else if (excess === 1) await changeFiring(tx, firing, { state: 'limited', error: LIMITED })
    else await deleteFiring(tx, userId, firing.firingId)
  }

  return {
    fire,

    /**
     * Fires the reflexes that wait for what happened; all of it is of one type. It comes first in
     * its transaction, before anything of the person's is locked.
     */
    async raise(tx: Db, userId: string, happenings: Happening[]): Promise<void> {
      const [first] = happenings
      if (!first) return
      const active = await listActive(tx, userId, first.event.type)
      if (active.length === 0 || !(await holdPerson(tx, userId))) return
      const off = await switchedOff(tx)
      for (const reflex of active) {
        // What compares is off: the firing waits for it, and is compared then.
        const mayCompare = reflex.conditions.every(({ op }) => !off.has(keyOf('condition_ops', op)))
        const conditions = mayCompare ? reflex.conditions : []
        for (const happening of happenings) {
          const isLater = happening.since && happening.since < reflex.createdAt
          if (!isLater && appliesTo({ ...reflex, conditions }, happening.event))
            await fire(tx, reflex, happening)
        }
      }
    },
  }
}

const LIMITED = `It fired ${MAX_FIRINGS_AN_HOUR} times within an hour; what triggers it more often until the hour is over is let go`
