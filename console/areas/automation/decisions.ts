import { decideConfirmation, listConfirmations } from '../../../shared/contract/confirmations.ts'
import { giveFeedback } from '../../../shared/contract/proactive.ts'
import { useAction } from '../../session/query.ts'
import { confirmations, inbox } from '../../texts/automation.ts'
import { notify, notifyError } from '../../ui/toast.tsx'
import { showCurrent } from '../memories/resolution.ts'

/** Lets a waiting reflex run, or not. */
export const useDecision = (name: string, onSuccess?: () => void) =>
  useAction(decideConfirmation, {
    onSuccess: (_, { body }) => {
      notify(confirmations.decided[body.decision](name))
      onSuccess?.()
    },
    onError: (error) => showCurrent(error, listConfirmations),
  })

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
