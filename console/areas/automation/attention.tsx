import { listConfirmations } from '../../../shared/contract/confirmations.ts'
import { listProactiveIntents } from '../../../shared/contract/proactive.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { ConfirmationItem } from './confirmation-item.tsx'
import { ReminderItem } from './reminder-item.tsx'
import { CONFIRMATIONS, MAX_SHOWN } from './requests.ts'

/** Reflexes to confirm and reminders, as items of a list. */
export const AutomationAttention = () => {
  const enabled = useMe()?.email_verified === true
  const confirmations = useApi(listConfirmations, CONFIRMATIONS, { enabled }).data ?? []
  const intents = useApi(listProactiveIntents, {}, { enabled }).data ?? []
  // Conflicts are listed on their own, for unverified users too.
  const reminders = intents.filter(({ kind }) => kind !== 'conflict').slice(0, MAX_SHOWN)
  return (
    <>
      {confirmations.map((each) => (
        <ConfirmationItem key={each.intent_id} confirmation={each} />
      ))}
      {reminders.map((each) => (
        <ReminderItem key={each.intent_id} intent={each} />
      ))}
    </>
  )
}
