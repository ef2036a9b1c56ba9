import type { TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'
import type { ReflexTest } from '../../../shared/contract/reflexes.ts'
import type { ActionHandler, ActionHandlers } from '../actions/action.ts'
import { isMet } from '../conditions/conditions.ts'
import { isTriggeredBy } from '../triggers/handlers.ts'
import type { ReflexParts } from './handlers.ts'

/** Evaluates each part of a reflex with an event, and describes what its action would do. */
export const evaluate = (
  { trigger, conditions, action }: ReflexParts,
  event: TriggerEvent,
  actions: ActionHandlers,
): ReflexTest => {
  const triggered = isTriggeredBy(trigger, event)
  const met = conditions.map((condition) => isMet(event, condition))
  const fires = triggered && met.every(Boolean)
  const handler: ActionHandler = actions[action.type]
  return {
    fires,
    triggered,
    conditions: met,
    preview: fires ? handler.preview(action, event) : null,
  }
}
