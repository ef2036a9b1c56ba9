import { Link } from '@tanstack/react-router'
import type { Firing } from '../../../shared/contract/firings.ts'
import { listFirings } from '../../../shared/contract/reflexes.ts'
import { useApiPages } from '../../session/pages.ts'
import { firings as texts } from '../../texts/reflexes.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Time } from '../../ui/time.tsx'
import { EventDetails } from './event-details.tsx'

const PAGE = 50
/** How soon a firing and its outcome appear. */
const REFRESH_MS = 5000

const LOOKS = {
  pending: 'badge',
  waiting: 'badge accent',
  done: 'badge good',
  failed: 'badge bad',
  skipped: 'badge',
  limited: 'badge warn',
} as const

export const Firings = ({ reflexId }: { reflexId: string }) => {
  const query = useApiPages(
    listFirings,
    reflexId,
    (before) => ({
      params: { reflex_id: reflexId },
      query: { limit: PAGE, ...(before && { before }) },
    }),
    (page) => (page.length === PAGE ? page.at(-1)?.firing_id : null),
    { pollMs: REFRESH_MS },
  )
  return (
    <div className="stack-small">
      <h2>{texts.title}</h2>
      <p className="quiet small">{texts.note}</p>
      <Loaded query={{ ...query, data: query.data?.pages.flat() }}>
        {(list) =>
          list.length ? (
            <ul className="list">
              {list.map((firing) => (
                <FiringRow key={firing.firing_id} firing={firing} />
              ))}
            </ul>
          ) : (
            <p>{texts.empty}</p>
          )
        }
      </Loaded>
      <LoadMore query={query} />
    </div>
  )
}

const FiringRow = ({ firing }: { firing: Firing }) => (
  <li className="stack-tight">
    <div className="row">
      <span className={LOOKS[firing.state]}>{texts.states[firing.state]}</span>
      <span className="small">
        <Time iso={firing.created_at} />
      </span>
      {firing.attempts > 0 && (
        <span className="quiet small">{texts.attempts(firing.attempts)}</span>
      )}
      {firing.state === 'waiting' && (
        <Link to="/automation/confirmations" className="small">
          {texts.decide}
        </Link>
      )}
    </div>
    {firing.error && <p className="user-text small">{firing.error}</p>}
    <EventDetails event={firing.event} />
  </li>
)
