import { Link } from '@tanstack/react-router'
import { listProactiveIntents, type ProactiveIntent } from '../../../shared/contract/proactive.ts'
import { useApi } from '../../session/query.ts'
import { inbox as texts } from '../../texts/automation.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useFeedback } from './decisions.ts'
import { useDismissal } from './dismissal.ts'

/** The list has no cursor: it is one page of the topics with the highest weight. */
const LIMIT = 100
/** How soon a topic that becomes due appears. */
const REFRESH_MS = 15_000

const ICONS = { reminder: 'bell', question: 'info', conflict: 'alert' } as const

export const InboxPage = () => {
  const query = useApi(listProactiveIntents, { query: { limit: LIMIT } }, { pollMs: REFRESH_MS })
  const { hidden, dismiss } = useDismissal()
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={query}>
        {(all) => {
          const list = all.filter(({ intent_id }) => !hidden.has(intent_id))
          return list.length ? (
            <ul className="list" aria-label={texts.title}>
              {list.map((intent) => (
                <IntentRow
                  key={intent.intent_id}
                  intent={intent}
                  onDismiss={() => dismiss(intent.intent_id)}
                />
              ))}
            </ul>
          ) : (
            <EmptyState
              icon="bell"
              title={texts.empty}
              actions={
                <Link to="/memories" className="button">
                  {texts.toMemories}
                </Link>
              }
            >
              {texts.emptyNote}
            </EmptyState>
          )
        }}
      </Loaded>
    </Page>
  )
}

interface IntentRowProps {
  intent: ProactiveIntent
  onDismiss: () => void
}

const IntentRow = ({ intent, onDismiss }: IntentRowProps) => {
  const { kind, title, text, due_at, reflex_id, feedback } = intent
  return (
    <li className="intent">
      <span className="intent-icon">
        <Icon name={ICONS[kind]} />
      </span>
      <div className="grow stack-tight">
        <div className="row">
          <h2>
            <bdi>{title}</bdi>
          </h2>
          <span className="badge">{reflex_id ? texts.notification : texts.kinds[kind]}</span>
          {feedback === 'thumbs_up' && <span className="badge good">{texts.isHelpful}</span>}
          {feedback === 'thumbs_down' && <span className="badge">{texts.isUnhelpful}</span>}
        </div>
        {text !== title && (
          <p className="user-text" dir="auto">
            {text}
          </p>
        )}
        <p className="quiet small">
          {texts.due} <Time iso={due_at} />
        </p>
        <IntentActions intent={intent} onDismiss={onDismiss} />
      </div>
    </li>
  )
}

const IntentActions = ({ intent, onDismiss }: IntentRowProps) => {
  const { intent_id, kind, title, reflex_id } = intent
  const { give, isPending } = useFeedback(intent_id)
  return (
    <div className="row">
      {kind === 'conflict' && (
        <Link to="/automation/identity" className="button small primary">
          {texts.resolve}
        </Link>
      )}
      {reflex_id && (
        <Link
          to="/automation/reflexes/$reflexId"
          params={{ reflexId: reflex_id }}
          className="button small"
        >
          {texts.toReflex}
        </Link>
      )}
      <Button isSmall icon="check" aria-label={texts.dismissNamed(title)} onPress={onDismiss}>
        {texts.dismiss}
      </Button>
      <Button
        isSmall
        icon="clock"
        aria-label={texts.snoozeNamed(title)}
        isPending={isPending}
        onPress={() => give('snooze')}
      >
        {texts.snooze}
      </Button>
      <Menu
        label={texts.more(title)}
        trigger={<IconButton icon="more" label={texts.more(title)} isSmall />}
        actions={[
          { label: texts.helpful, onAction: () => give('thumbs_up') },
          { label: texts.unhelpful, onAction: () => give('thumbs_down') },
        ]}
      />
    </div>
  )
}
