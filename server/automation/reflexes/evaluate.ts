import type { TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import type { ReflexTest } from '../../../shared/contract/reflexes.ts'
import { isMet } from '../conditions/conditions.ts'
import { type ActionHandlers, handlerOf, type ReflexParts } from '../firings/firing.ts'
import { isTriggeredBy } from '../triggers/handlers.ts'

/** Evaluates each part of a reflex with an event, and describes what its action would do. */
export const evaluate = (
  { trigger, conditions, action }: ReflexParts,
  event: TriggerEvent,
  actions: ActionHandlers,
): ReflexTest => {
  const triggered = isTriggeredBy(trigger, event)
  const met = conditions.map((condition) => isMet(event, condition))
  const fires = triggered && met.every(Boolean)
  return {
    fires,
    triggered,
    conditions: met,
    preview: fires ? handlerOf(actions, action).preview(action, event) : null,
  }
}
