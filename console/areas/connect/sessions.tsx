import { useState } from 'react'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import {
  listSessions,
  revokeAllSessions,
  revokeSession,
  type Session,
} from '../../../shared/contract/sessions.ts'
import { useAction, useApi } from '../../session/query.ts'
import { leaveEverywhere } from '../../session/token.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = connect.sessions

/** The session of this tab first, the others by their last use. */
const inOrder = (sessions: readonly Session[]): Session[] =>
  sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.last_seen_at.localeCompare(a.last_seen_at),
  )

export const SessionsPage = () => {
  const sessions = useApi(listSessions, {})
  const apps = useApi(listApps, {})
  const [ending, setEnding] = useState<SessionsToEnd>()
  const appNames = new Map(apps.data?.map(({ session_id, name }) => [session_id, name]))
  const nameOf = ({ id, user_agent }: Session) =>
    appNames.get(id) ?? (user_agent ? describeUserAgent(user_agent) : texts.unknown)
  const hasOthers = (sessions.data?.length ?? 0) > 1
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <>
          {hasOthers && <Button onPress={() => setEnding('others')}>{texts.endOthers}</Button>}
          <Button look="danger" onPress={() => setEnding('all')}>
            {texts.endAll}
          </Button>
        </>
      }
    >
      <Loaded query={sessions}>
        {(list) => (
          <ul className="list">
            {inOrder(list).map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                name={nameOf(session)}
                isApp={appNames.has(session.id)}
                onEnd={() => setEnding({ session, name: nameOf(session) })}
              />
            ))}
          </ul>
        )}
      </Loaded>
      <EndSessionsDialog ending={ending} onClose={() => setEnding(undefined)} />
    </Page>
  )
}

interface SessionRowProps {
  session: Session
  name: string
  isApp: boolean
  onEnd: () => void
}

const SessionRow = ({ session, name, isApp, onEnd }: SessionRowProps) => (
  <li className="connect-row">
    <div className="grow">
      <div className="row">
        <strong className="connect-name">
          <bdi>{name}</bdi>
        </strong>
        {session.current && <span className="badge good">{texts.current}</span>}
        {isApp && <span className="badge">{texts.app}</span>}
      </div>
      <p className="quiet small">
        {texts.lastSeen} <Time iso={session.last_seen_at} /> · {texts.since}{' '}
        <Time iso={session.created_at} />
        {session.ip && <> · {session.ip}</>}
      </p>
    </div>
    <Button
      isSmall
      look="danger"
      {...(!session.current && { 'aria-label': texts.endNamed(name) })}
      onPress={onEnd}
    >
      {session.current ? texts.signOut : texts.end}
    </Button>
  </li>
)

type SessionsToEnd = { session: Session; name: string } | 'others' | 'all'

interface EndSessionsDialogProps {
  ending: SessionsToEnd | undefined
  onClose: () => void
}

const describe = (ending: SessionsToEnd | undefined) => {
  if (ending === 'all') return { title: texts.endAllTitle, note: texts.endAllNote }
  if (ending === 'others') return { title: texts.endOthersTitle, note: texts.endOthersNote }
  if (ending?.session.current) return { title: texts.signOutTitle, note: texts.signOutNote }
  return { title: texts.endTitle(ending?.name ?? ''), note: texts.endNote }
}

/** Asks before one session, all others or all end. Without its own session this tab has to sign in. */
const EndSessionsDialog = ({ ending, onClose }: EndSessionsDialogProps) => {
  const close = () => {
    onClose()
    one.reset()
    all.reset()
  }
  const done = (text: string) => {
    notify(text)
    close()
  }
  const one = useAction(revokeSession, {
    onSuccess: () => {
      if (typeof ending !== 'object') return
      if (ending.session.current) leaveEverywhere()
      else done(texts.ended(ending.name))
    },
  })
  const all = useAction(revokeAllSessions, {
    onSuccess: (_, { query }) => {
      if (query?.keep_current) done(texts.endedOthers)
      else leaveEverywhere()
    },
  })
  const confirm = () => {
    if (typeof ending === 'object') one.mutate({ params: { session_id: ending.session.id } })
    else all.mutate({ query: { keep_current: ending === 'others' } })
  }
  const { title, note } = describe(ending)
  return (
    <ConfirmDialog
      title={title}
      action={typeof ending === 'object' ? texts.end : texts.signOut}
      isOpen={ending !== undefined}
      isPending={one.isPending || all.isPending}
      error={one.error ?? all.error}
      onConfirm={confirm}
      onClose={close}
    >
      {note}
    </ConfirmDialog>
  )
}

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Mac OS X', 'macOS'],
  ['Windows', 'Windows'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

const find = (userAgent: string, names: readonly (readonly [string, string])[]) =>
  names.find(([mark]) => userAgent.includes(mark))?.[1]

/**
 * A browser and its system, such as `Chrome on macOS`. Browsers also name those that they are compatible
 * with, so the order counts. Other programs are shown by their own name.
 */
const describeUserAgent = (userAgent: string): string => {
  const [browser, system] = [find(userAgent, BROWSERS), find(userAgent, SYSTEMS)]
  return browser && system ? connect.browserOn(browser, system) : userAgent
}
