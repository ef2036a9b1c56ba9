import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { Client } from '../../../shared/client.ts'
import type { Send } from '../../../shared/client-session.ts'
import {
  giveFeedback,
  listProactiveIntents,
  type ProactiveIntent,
} from '../../../shared/contract/proactive.ts'
import { createWorkspaceClient } from '../../session/client.ts'
import { useApi } from '../../session/query.ts'
import { inbox as texts } from '../../texts/automation.ts'
import { common } from '../../texts/common.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Menu } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { notify, notifyError } from '../../ui/toast.tsx'
import { useFeedback } from './decisions.ts'

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

/** The browser completes these requests after the tab was closed. */
const sendBeyondClose: Send = (url, init) => fetch(url, { ...init, keepalive: true })

/**
 * Hides topics at once. The API cannot undo a dismissal, so it is sent when the toast with the undo is
 * gone, or when the user leaves the page.
 */
const useDismissal = () => {
  const queries = useQueryClient()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  /** Closes the toast of each topic that is not dismissed yet. */
  const waiting = useRef(new Map<string, () => void>())

  const show = (id: string) => setHidden((ids) => new Set([...ids].filter((each) => each !== id)))
  const undo = (id: string) => {
    waiting.current.delete(id)
    show(id)
  }
  const send = async (id: string, client: Client) => {
    if (!waiting.current.delete(id)) return
    try {
      await client.call(giveFeedback, { body: { intent_id: id, feedback: 'dismiss' } })
      await queries.invalidateQueries({ queryKey: [listProactiveIntents.name] })
    } catch (error) {
      show(id)
      if (error instanceof Error) notifyError(error)
    }
  }
  useEffect(() => {
    const pending = waiting.current
    const sendAll = () => {
      for (const close of [...pending.values()]) close()
    }
    addEventListener('pagehide', sendAll)
    return () => {
      removeEventListener('pagehide', sendAll)
      sendAll()
    }
  }, [])

  const dismiss = (id: string) => {
    setHidden((ids) => new Set([...ids, id]))
    const action = { label: common.undo, run: () => undo(id) }
    const client = createWorkspaceClient(sendBeyondClose)
    waiting.current.set(
      id,
      notify(texts.dismissed, action, () => void send(id, client)),
    )
  }
  return { hidden, dismiss }
}
