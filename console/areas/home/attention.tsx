import type { ReactNode } from 'react'
import { listConfirmations } from '../../../shared/contract/confirmations.ts'
import { listConflicts } from '../../../shared/contract/identity.ts'
import { listProactiveIntents } from '../../../shared/contract/proactive.ts'
import type { Me } from '../../../shared/contract/sessions.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { ConfirmationItem } from './confirmation-item.tsx'
import { ConflictItem } from './conflict-item.tsx'
import { useHealthItems } from './health-items.tsx'
import { ReminderItem } from './reminder-item.tsx'
import { CONFIRMATIONS, MAX_SHOWN } from './requests.ts'
import { VerifyItem } from './verify-item.tsx'

/** The matters that wait for the user, most urgent kinds first. It is hidden while nothing waits. */
export const Attention = ({ me }: { me: Me }) => {
  const enabled = me.email_verified
  const confirmations = useApi(listConfirmations, CONFIRMATIONS, { enabled }).data
  const intents = useApi(listProactiveIntents, {}, { enabled }).data
  const conflicts = useApi(listConflicts, {}).data?.conflicts
  const health = useHealthItems(me.is_admin)
  // Conflicts are listed on their own, for unverified users too.
  const reminders = intents?.filter(({ kind }) => kind !== 'conflict')
  const items: ReactNode[] = [
    ...(me.email_verified ? [] : [<VerifyItem key="verify" />]),
    ...(confirmations ?? []).map((each) => (
      <ConfirmationItem key={each.intent_id} confirmation={each} />
    )),
    ...(reminders ?? [])
      .slice(0, MAX_SHOWN)
      .map((each) => <ReminderItem key={each.intent_id} intent={each} />),
    ...(conflicts ?? [])
      .slice(0, MAX_SHOWN)
      .map((each) => <ConflictItem key={each.anchor_key} conflict={each} />),
    ...health,
  ]
  if (items.length === 0) return null
  return (
    <section className="stack-small" aria-labelledby="attention">
      <h2 id="attention">{home.attention.title}</h2>
      <ul className="list">{items}</ul>
    </section>
  )
}
