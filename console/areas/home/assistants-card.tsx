import { Link } from '@tanstack/react-router'
import { home } from '../../texts/home.ts'
import { Time } from '../../ui/time.tsx'
import type { AssistantConnection } from './connections.ts'

const texts = home.assistants
const MAX_SHOWN = 4

/** The connected assistants, or the way to connect the first one. */
export const AssistantsCard = ({
  connections,
}: {
  connections: readonly AssistantConnection[]
}) => (
  <section className="card stack-small" aria-labelledby="assistants">
    <div className="row spread">
      <h2 id="assistants">{texts.title}</h2>
      {connections.length > 0 && <Link to="/connect">{texts.manage}</Link>}
    </div>
    {connections.length === 0 ? (
      <>
        <p className="quiet">{texts.none}</p>
        <p>
          <Link className="button" to="/connect">
            {texts.connect}
          </Link>
        </p>
      </>
    ) : (
      <ul className="plain stack-small">
        {connections.slice(0, MAX_SHOWN).map(({ id, kind, name, usedAt }) => (
          <li key={id} className="row">
            <bdi className="truncate home-name">{name}</bdi>
            <span className="badge">{kind}</span>
            {usedAt && (
              <span className="quiet small">
                <Time iso={usedAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    )}
  </section>
)
