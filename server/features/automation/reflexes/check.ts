import type { TriggerEvent } from '../../../../shared/contract/reflex-triggers.ts'
import type { ReflexTest } from '../../../../shared/contract/reflexes.ts'
import type { FieldError } from '../../../../shared/errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import type { Gates } from '../../../usage/gates.ts'
import { conditionProblems, isMet } from '../conditions/conditions.ts'
import { type ActionHandlers, handlerOf, handlersOf, type ReflexParts } from '../firings/firing.ts'
import { checkHandlersEnabled } from '../registry/handler.ts'
import { scheduleProblems } from '../schedules/times.ts'
import { isTriggeredBy } from '../triggers/handlers.ts'

export const reflexError = defineErrors({
  reflex_not_found: { status: 404, detail: 'Reflex not found' },
  reflex_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
  reflex_without_webhook: { status: 409, detail: 'The reflex has no webhook' },
  firing_not_found: { status: 404, detail: 'Firing not found' },
})

export interface CheckDeps {
  actions: ActionHandlers
  gates: Pick<Gates, 'requireFeature'>
  hasDevice(caller: Caller, deviceId: string): Promise<boolean>
}

/**
 * @returns a function that checks the `changed` parts of a reflex; `whole` is the reflex with them. It
 * throws an ApiError 403 for a tier without the feature, 422 with all problems, 409 for a disabled
 * handler.
 */
export const createReflexCheck = ({ db }: Database, { actions, gates, hasDevice }: CheckDeps) => {
  const triggerProblems = async (
    caller: Caller,
    trigger: ReflexParts['trigger'],
  ): Promise<FieldError[]> => {
    if (trigger.type === 'schedule') return scheduleProblems(trigger, new Date())
    if (trigger.type !== 'signal' || !trigger.device_id) return []
    if (await hasDevice(caller, trigger.device_id)) return []
    const msg = 'You have no device with this id'
    return [{ loc: ['body', 'trigger', 'device_id'], type: 'value_error', msg }]
  }

  const actionProblems = async (action: ReflexParts['action']): Promise<FieldError[]> => {
    return (await handlerOf(actions, action).problemsOf?.(action)) ?? []
  }

  return async (
    caller: Caller,
    changed: Partial<ReflexParts>,
    whole: ReflexParts,
  ): Promise<void> => {
    const { trigger, conditions, action } = changed
    if (action?.type === 'webhook') gates.requireFeature(caller, 'webhooks')
    const problems = [
      ...(trigger ? await triggerProblems(caller, trigger) : []),
      ...(conditions ? conditionProblems(conditions) : []),
      ...(action ? await actionProblems(action) : []),
    ]
    if (problems.length) throw reflexError('reflex_invalid', problems)
    if (trigger || conditions || action) await checkHandlersEnabled(db, handlersOf(whole))
  }
}

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
