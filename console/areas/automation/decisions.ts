import { ApiFailure } from '../../../shared/client.ts'
import { decideConfirmation, listConfirmations } from '../../../shared/contract/confirmations.ts'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { listConflicts, resolveConflict } from '../../../shared/contract/identity.ts'
import { giveFeedback } from '../../../shared/contract/proactive.ts'
import { useAction } from '../../session/query.ts'
import { queryClient } from '../../session/query-client.ts'
import { confirmations, identity, inbox } from '../../texts/automation.ts'
import { notify, notifyError } from '../../ui/toast.tsx'
import { attributeName } from './attribute.ts'

/** Another tab or device may have decided, so the list is requested again. */
const showCurrent = (error: Error, list: Pick<Endpoint, 'name'>, gone?: string): void => {
  if (gone && error instanceof ApiFailure && error.status === 404) notify(gone)
  else notifyError(error)
  void queryClient.invalidateQueries({ queryKey: [list.name] })
}

/** Lets a waiting reflex run, or not. */
export const useDecision = (name: string, onSuccess?: () => void) =>
  useAction(decideConfirmation, {
    onSuccess: (_, { body }) => {
      notify(confirmations.decided[body.decision](name))
      onSuccess?.()
    },
    onError: (error) => showCurrent(error, listConfirmations),
  })

/** Settles a contradiction: memories with the other values are superseded. */
export const useResolution = (anchorKey: string) => {
  const isFieldError = (error: Error) => error instanceof ApiFailure && error.status === 422
  const action = useAction(resolveConflict, {
    onSuccess: (_, { body }) =>
      notify(identity.resolved(attributeName(anchorKey), String(body.chosen_value))),
    onError: (error) => {
      if (!isFieldError(error)) showCurrent(error, listConflicts, identity.gone)
    },
  })
  return {
    choose: (value: string) =>
      action.mutate({ body: { anchor_key: anchorKey, chosen_value: value } }),
    /** The value that is being chosen. */
    pending: action.isPending ? action.variables.body.chosen_value : undefined,
    isPending: action.isPending,
    fieldError: action.error && isFieldError(action.error) ? action.error : null,
  }
}

const THANKS = {
  snooze: inbox.snoozed,
  dismiss: inbox.dismissed,
  thumbs_up: inbox.thanks,
  thumbs_down: inbox.thanks,
}
type Feedback = keyof typeof THANKS

/** Answers a topic of the inbox. */
export const useFeedback = (intentId: string) => {
  const action = useAction(giveFeedback, {
    onSuccess: (_, { body }) => notify(THANKS[body.feedback]),
    onError: notifyError,
  })
  return {
    give: (feedback: Feedback) => action.mutate({ body: { intent_id: intentId, feedback } }),
    isPending: action.isPending,
  }
}
