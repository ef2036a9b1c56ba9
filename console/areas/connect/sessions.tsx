import { useState } from 'react'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { listSessions, type Session } from '../../../shared/contract/sessions.ts'
import { useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { EndSessionsDialog, type SessionsToEnd } from './end-sessions.tsx'
import { describeUserAgent } from './user-agent.ts'

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
