import { Link } from '@tanstack/react-router'
import type { ProactiveIntent } from '../../../shared/contract/proactive.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { AttentionItem } from '../home/attention-item.tsx'
import { memoryPath } from '../home/memory-link.tsx'
import { useFeedback } from './decisions.ts'

const texts = home.attention

/** A due reminder, an open question, or a notification of a reflex. */
export const ReminderItem = ({ intent }: { intent: ProactiveIntent }) => {
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
