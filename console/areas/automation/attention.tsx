import { Link } from '@tanstack/react-router'
import { type Confirmation, listConfirmations } from '../../../shared/contract/confirmations.ts'
import { listProactiveIntents, type ProactiveIntent } from '../../../shared/contract/proactive.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { AttentionItem } from '../home/attention-item.tsx'
import { memoryPath } from '../home/memory-link.tsx'
import { useDecision, useFeedback } from './decisions.ts'
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

const texts = home.attention

/** A firing of a reflex that runs only if the user confirms it. */
const ConfirmationItem = ({ confirmation }: { confirmation: Confirmation }) => {
  const { intent_id, reflex_name, text } = confirmation
  const decide = useDecision(reflex_name)
  const send = (decision: 'fire' | 'skip_once') =>
    decide.mutate({ params: { intent_id }, body: { decision } })
  return (
    <AttentionItem
      icon="automation"
      title={<Link to="/automation">{texts.confirmation(reflex_name)}</Link>}
      actions={
        <>
          <Button isSmall isDisabled={decide.isPending} onPress={() => send('skip_once')}>
            {texts.skip}
          </Button>
          <Button isSmall look="primary" isDisabled={decide.isPending} onPress={() => send('fire')}>
            {texts.run}
          </Button>
        </>
      }
    >
      <p className="user-text small" dir="auto">
        {text}
      </p>
    </AttentionItem>
  )
}

/** A due reminder, an open question, or a notification of a reflex. */
const ReminderItem = ({ intent }: { intent: ProactiveIntent }) => {
  const { intent_id, title, text, due_at, memory_ids } = intent
  const { give, isPending } = useFeedback(intent_id)
  const [memoryId] = memory_ids
  return (
    <AttentionItem
      icon="bell"
      title={
        <span className="user-text" dir="auto">
          {memoryId ? <Link to={memoryPath(memoryId)}>{title}</Link> : title}
        </span>
      }
      actions={
        <>
          <Button
            isSmall
            aria-label={texts.laterNamed(title)}
            isDisabled={isPending}
            onPress={() => give('snooze')}
          >
            {texts.later}
          </Button>
          <Button
            isSmall
            aria-label={texts.doneNamed(title)}
            isDisabled={isPending}
            onPress={() => give('dismiss')}
          >
            {texts.done}
          </Button>
        </>
      }
    >
      {text !== title && (
        <p className="user-text small home-clip" dir="auto">
          {text}
        </p>
      )}
      <p className="quiet small">
        {texts.due} <Time iso={due_at} />
      </p>
    </AttentionItem>
  )
}
