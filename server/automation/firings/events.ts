import type { TriggerEvent } from '../../../shared/schemas/reflex-triggers.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs.ts'
import { isMet } from '../conditions/conditions.ts'
import { countFiring, listActiveReflexes } from '../reflexes/store.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import { disabledHandlers } from '../registry/disabled.ts'
import { keyOf } from '../registry/handler.ts'
import { isTriggeredBy } from '../triggers/handlers.ts'
import { FIRING_JOB } from './jobs.ts'
import { lockReflexOwner } from './owner.ts'
import { deleteFiring, insertFiring, updateFiring } from './store.ts'

/** Of each reflex. */
const MAX_FIRINGS_PER_HOUR = 60

/** An event that may trigger reflexes. */
export interface ReflexEvent {
  /** Identifies the event: a reflex fires once for each key. */
  key: string
  event: TriggerEvent
  /** Reflexes created later ignore the event; if left out, none does. */
  occurredAt?: Date
}

/** Whether an event matches the trigger and all conditions of a reflex. */
export const appliesTo = (
  { trigger, conditions }: Pick<ReflexRow, 'trigger' | 'conditions'>,
  event: TriggerEvent,
): boolean => isTriggeredBy(trigger, event) && conditions.every((each) => isMet(event, each))

export type Events = ReturnType<typeof createEvents>

/** Fires the reflexes that an event triggers, within the transaction of the event. */
export const createEvents = (jobs: Jobs) => {
  /** Queues a firing, unless the event fired the reflex before or the hour has too many. */
  const fire = async (tx: Db, reflex: ReflexRow, { key, event }: ReflexEvent): Promise<void> => {
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
    // A schedule fires at most once a minute, so that it needs no limit.
    if (event.type === 'schedule') return jobs.send(FIRING_JOB, firing, { tx })
    const excess = (await countFiring(tx, reflex)) - MAX_FIRINGS_PER_HOUR
    if (excess <= 0) await jobs.send(FIRING_JOB, firing, { tx })
    // The first one over the limit is kept, to report it.
    else if (excess === 1) await updateFiring(tx, firing, { state: 'limited', error: LIMITED })
    else await deleteFiring(tx, userId, firing.firingId)
  }

  return {
    fire,

    /**
     * Fires the active reflexes that match the events, which are all of one type. Call it first in the
     * transaction: it locks the user.
     */
    async emit(tx: Db, userId: string, events: ReflexEvent[]): Promise<void> {
      const [first] = events
      if (!first) return
      const active = await listActiveReflexes(tx, userId, first.event.type)
      if (active.length === 0 || !(await lockReflexOwner(tx, userId))) return
      const disabled = await disabledHandlers(tx)
      for (const reflex of active) {
        // With a disabled operator, the firing waits for it and evaluates the conditions then.
        const canEvaluate = reflex.conditions.every(
          ({ op }) => !disabled.has(keyOf('condition_ops', op)),
        )
        const conditions = canEvaluate ? reflex.conditions : []
        for (const each of events) {
          const isOlder = each.occurredAt && each.occurredAt < reflex.createdAt
          if (!isOlder && appliesTo({ ...reflex, conditions }, each.event))
            await fire(tx, reflex, each)
        }
      }
    },
  }
}

const LIMITED = `The reflex fired ${MAX_FIRINGS_PER_HOUR} times within an hour; more events are ignored until the hour is over`
