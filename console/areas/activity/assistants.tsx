import { Link } from '@tanstack/react-router'
import type { ActiveAssistant } from '../../../shared/contract/activity-counts.ts'
import { listKeys } from '../../../shared/contract/keys.ts'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { assistantName } from '../../../shared/origin.ts'
import { useApi } from '../../session/query.ts'
import { activity } from '../../texts/activity.ts'
import { number } from '../../texts/tools/numbers.ts'
import { Time } from '../../ui/time.tsx'
import { AppList } from '../connect/app-list.tsx'
import { KeyList } from '../connect/key-list.tsx'

const texts = activity.assistants

/** The assistants that were seen, the last seen first, with what they read and wrote. */
export const Assistants = ({ assistants }: { assistants: readonly ActiveAssistant[] }) => (
  <section aria-labelledby="assistants-seen">
    <h2 id="assistants-seen" className="activity-heading">
      {texts.title}
    </h2>
    <ul className="plain activity-assistants">
      {assistants.map((each) => (
        <li key={each.client}>
          <Link className="card activity-assistant" to="/activity" search={{ client: each.client }}>
            <strong>
              <bdi>{assistantName(each.client)}</bdi>
            </strong>
            <span className="quiet small">
              {texts.seen} <Time iso={each.last_seen_at} />
            </span>
            <span className="small">{texts.counts(each.read, each.written)}</span>
          </Link>
        </li>
      ))}
    </ul>
  </section>
)

/** One assistant: what it did, and its keys and sessions, to limit, pause and revoke. */
export const Assistant = ({ assistant }: { assistant: ActiveAssistant }) => {
  const { client, key_ids, last_seen_at, recalls, contexts, read, written, changed, deleted } =
    assistant
  const keys = useApi(listKeys, {}).data?.filter(({ id }) => key_ids.includes(id)) ?? []
  const apps = useApi(listApps, {}).data?.filter(({ name }) => name === client) ?? []
  const figures = { recalls, contexts, read, written, changed, deleted }
  return (
    <section className="card stack-small" aria-labelledby="assistant-seen">
      <h2 id="assistant-seen">
        <bdi>{assistantName(client)}</bdi>
      </h2>
      <p className="quiet small">
        {texts.seen} <Time iso={last_seen_at} />
      </p>
      <dl className="activity-figures">
        {Object.entries(figures).map(([name, figure]) => (
          <div key={name}>
            <dt className="quiet small">{texts.figures[name as keyof typeof figures]}</dt>
            <dd className="numeric">{number(figure)}</dd>
          </div>
        ))}
      </dl>
      {keys.length > 0 && <KeyList keys={keys} />}
      {apps.length > 0 && <AppList apps={apps} />}
    </section>
  )
}
