import { Link } from '@tanstack/react-router'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { Time } from '../../ui/time.tsx'

const texts = connect.assistants
/** The user allows the assistant in another tab and returns. */
const REFETCH_MS = 10_000

/** Which assistants have signed in, kept current while the user sets one up. */
export const ConnectionState = () => {
  const apps = useApi(listApps, {}, { pollMs: REFETCH_MS })
  return (
    <div className="assistants-state" aria-live="polite">
      {apps.data?.length === 0 && <p className="quiet">{texts.waiting}</p>}
      {apps.data && apps.data.length > 0 && (
        <>
          <ul className="plain stack-small">
            {apps.data.map(({ session_id, name, last_seen_at }) => (
              <li key={session_id} className="row">
                <span className="badge good">{texts.connected}</span>
                <bdi className="connect-name">{name}</bdi>
                <span className="quiet small">
                  {texts.lastUsed} <Time iso={last_seen_at} />
                </span>
              </li>
            ))}
          </ul>
          <Link to="/connect/apps">{texts.manage}</Link>
        </>
      )}
    </div>
  )
}
