import type { TriggerEvent } from '../../../../shared/contract/reflex-triggers.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Jobs } from '../../../platform/jobs.ts'
import { isMet } from '../conditions/conditions.ts'
import { FIRING_JOB, type FiringRef, lockReflexOwner } from '../firings/firing.ts'
import { countFiring, listActiveReflexes } from '../firings/reflex-store.ts'
import { deleteFiring, insertFiring, updateFiring } from '../firings/store.ts'
import type { ReflexRow } from '../firings/table.ts'
import { disabledHandlers, keyOf } from '../registry/handler.ts'
import { isTriggeredBy } from '../triggers/handlers.ts'

/** The limit of each reflex. */
const MAX_FIRINGS_PER_HOUR = 60
/** Within this time, the clocks of svc and PostgreSQL agree that the hour is not over. */
const CERTAIN_MS = 59 * 60 * 1000

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
export const createEvents = ({ db }: Database, jobs: Jobs) => {
  /** Queues a firing. @returns undefined if the event fired the reflex before. */
  const queue = async (
    tx: Db,
    { userId, reflexId }: ReflexRow,
    { key, event }: ReflexEvent,
  ): Promise<FiringRef | undefined> => {
    const firing = { userId, firingId: Bun.randomUUIDv7() }
    const isNew = await insertFiring(tx, {
      ...firing,
      reflexId,
      eventKey: key,
      event,
      state: 'pending',
    })
    if (!isNew) return undefined
    await jobs.send(FIRING_JOB, firing, { tx })
    return firing
  }

  /** Undoes a firing if the hour has too many. Locks the reflex, so nothing else follows in the transaction. */
  const count = async (tx: Db, reflex: ReflexRow, firing: FiringRef): Promise<void> => {
    const excess = (await countFiring(tx, reflex)) - MAX_FIRINGS_PER_HOUR
    if (excess <= 0) return
    // Its job finds nothing to do. The first one over the limit is kept, to report it.
    if (excess === 1) await updateFiring(tx, firing, { state: 'limited', error: LIMITED })
    else await deleteFiring(tx, firing.userId, firing.firingId)
  }

  return {
    /** Fires a reflex at a scheduled time. A schedule fires at most once a minute, so it needs no limit. */
    async fire(tx: Db, reflex: ReflexRow, event: ReflexEvent): Promise<void> {
      await queue(tx, reflex, event)
    },

    /** Whether `emit` may fire a reflex. */
    async mayFire(userId: string, { event }: ReflexEvent): Promise<boolean> {
      const active = await listActiveReflexes(db, userId, event.type)
      return active.some(({ trigger }) => isTriggeredBy(trigger, event))
    },

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
      const fired: { reflex: ReflexRow; firing: FiringRef }[] = []
      for (const reflex of active) {
        // With a disabled operator, the firing waits for it and evaluates the conditions then.
        const canEvaluate = reflex.conditions.every(
          ({ op }) => !disabled.has(keyOf('condition_ops', op)),
        )
        const conditions = canEvaluate ? reflex.conditions : []
        for (const each of events) {
          const isOlder = each.occurredAt && each.occurredAt < reflex.createdAt
          if (isOlder || !appliesTo({ ...reflex, conditions }, each.event)) continue
          const firing = isExhausted(reflex) ? undefined : await queue(tx, reflex, each)
          if (firing) fired.push({ reflex, firing })
        }
      }
      for (const { reflex, firing } of fired) await count(tx, reflex, firing)
    },
  }
}

/** Whether the hour has too many firings already, and one that reports it. */
const isExhausted = ({ hourBegan, hourCount }: ReflexRow): boolean =>
  hourCount > MAX_FIRINGS_PER_HOUR && Date.now() - (hourBegan?.getTime() ?? 0) < CERTAIN_MS

const LIMITED = `The reflex fired ${MAX_FIRINGS_PER_HOUR} times within an hour; more events are ignored until the hour is over`
