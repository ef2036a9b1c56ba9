import { Link } from '@tanstack/react-router'
import {
  giveFeedback,
  listProactiveIntents,
  type ProactiveIntent,
} from '../../../shared/contract/proactive.ts'
import { useAction } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'
import { AttentionItem } from './attention-item.tsx'
import { memoryPath } from './memory-link.tsx'

const texts = home.attention

/** A due reminder, an open question, or a notification of a reflex. */
export const ReminderItem = ({ intent }: { intent: ProactiveIntent }) => {
  const { intent_id, title, text, due_at, memory_ids } = intent
  const react = useAction(giveFeedback, {
    invalidates: [listProactiveIntents],
    onSuccess: (_, { body }) =>
      notify(body.feedback === 'snooze' ? texts.snoozed : texts.dismissed),
  })
  const send = (feedback: 'dismiss' | 'snooze') => react.mutate({ body: { intent_id, feedback } })
  const [memoryId] = memory_ids
  return (
    <AttentionItem
      icon="bell"
      title={
        <span className="user-text" dir="auto">
          {memoryId ? <Link to={memoryPath(memoryId)}>{title}</Link> : title}
        </span>
      }
      error={react.error}
      actions={
        <>
          <Button
            isSmall
            aria-label={texts.laterNamed(title)}
            isDisabled={react.isPending}
            onPress={() => send('snooze')}
          >
            {texts.later}
          </Button>
          <Button
            isSmall
            aria-label={texts.doneNamed(title)}
            isDisabled={react.isPending}
            onPress={() => send('dismiss')}
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
