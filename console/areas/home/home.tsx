import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listEngines } from '../../../shared/contract/engines.ts'
import { healthDetail } from '../../../shared/contract/health.ts'
import { listMemories, type MemoryList } from '../../../shared/contract/memory-lists.ts'
import { me } from '../../../shared/contract/sessions.ts'
import { getUsage } from '../../../shared/contract/usage.ts'
import { METRICS } from '../../../shared/tiers.ts'
import { useMe } from '../../session/me.ts'
import { useApi, useFirstLoad } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { home } from '../../texts/home.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { Meter, shareOf } from '../../ui/meter.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { AskForm } from './ask-form.tsx'
import { Attention } from './attention.tsx'
import { type AssistantConnection, useConnections } from './connections.ts'
import { FirstSteps } from './first-steps.tsx'
import { MemoryLink } from './memory-link.tsx'
import { REMEMBER_FIELD, RememberForm } from './remember-form.tsx'
import { RECENT } from './requests.ts'

/** The health of the server may take longer than what the user came for. */
const LATE = [healthDetail, listEngines]

export const HomePage = () => {
  const user = useApi(me, {})
  const isLoaded = useFirstLoad(LATE)
  return (
    <Page title={home.title}>
      {!isLoaded && <Skeleton lines={6} />}
      <div {...(isLoaded ? { className: 'stack' } : { hidden: true })}>
        <Loaded query={user} lines={1}>
          {(loaded) => (
            <>
              <Start isNew={!loaded.onboarding_completed} />
              <Attention me={loaded} />
            </>
          )}
        </Loaded>
        <Overview />
      </div>
    </Page>
  )
}

/** The first steps of a new user; later only what is used every day. */
const Start = ({ isNew }: { isNew: boolean }) => {
  const memories = useApi(listMemories, RECENT).data?.memories
  const connections = useConnections()
  const [isAsked, setAsked] = useAsked()
  if (!isNew) return <EveryDay />
  // A failed list is reported below, in its own place.
  if (!memories || !connections) return null
  return (
    <FirstSteps
      hasMemories={memories.length > 0}
      isAsked={isAsked}
      isConnected={connections.length > 0}
      onAsked={setAsked}
    />
  )
}

const EveryDay = () => (
  <div className="home-every-day">
    <section className="card" aria-labelledby="home-ask">
      <h2 id="home-ask">{home.ask.label}</h2>
      <AskForm />
    </section>
    <section className="card" aria-labelledby="home-remember">
      <h2 id="home-remember">{home.remember.label}</h2>
      <RememberForm />
    </section>
  </div>
)

const Overview = () => {
  const recent = useApi(listMemories, RECENT)
  const connections = useConnections()
  return (
    <div className="home-overview">
      <Recent query={recent} />
      <div className="stack">
        <Month />
        {connections && <AssistantsCard connections={connections} />}
      </div>
    </div>
  )
}

/** Recalls leave no trace on the server, so this browser notes that a question had an answer. */
const keyOf = (userId: string): string => `svc-asked-${userId}`

const useAsked = (): readonly [boolean, () => void] => {
  const userId = useMe()?.id
  const [isAsked, setAsked] = useState(false)
  const wasAsked = userId !== undefined && localStorage.getItem(keyOf(userId)) !== null
  return [
    isAsked || wasAsked,
    () => {
      if (userId) localStorage.setItem(keyOf(userId), '')
      setAsked(true)
    },
  ]
}

const texts = home.month
const amounts = billing.usage

const Month = () => {
  const usage = useApi(getUsage, {})
  return (
    <section className="card stack-small" aria-labelledby="month">
      <div className="row spread">
        <h2 id="month">{texts.title}</h2>
        <Link to="/usage">{texts.link}</Link>
      </div>
      <Loaded query={usage} lines={2}>
        {({ usage }) =>
          METRICS.map((metric) => {
            const { used, limit } = usage[metric]
            return (
              <Meter
                key={metric}
                label={amounts.metrics[metric]}
                value={limit === null ? amounts.noLimit(used) : amounts.ofLimit(used, limit)}
                share={shareOf(used, limit)}
              />
            )
          })
        }
      </Loaded>
    </section>
  )
}

const recentTexts = home.recent

interface RecentProps {
  query: Parameters<typeof Loaded<MemoryList>>[0]['query']
}

const Recent = ({ query }: RecentProps) => (
  <section className="stack-small" aria-labelledby="recent">
    <div className="row spread">
      <h2 id="recent">{recentTexts.title}</h2>
      <Link to="/memories">{recentTexts.all}</Link>
    </div>
    <Loaded query={query}>
      {({ memories }) =>
        memories.length ? (
          <ul className="list home-list">
            {memories.map((memory) => (
              <li key={memory.memory_id}>
                <MemoryLink memory={memory} />
              </li>
            ))}
          </ul>
        ) : (
          <EmptyState
            icon="memory"
            title={recentTexts.empty}
            actions={
              <Button onPress={() => document.getElementById(REMEMBER_FIELD)?.focus()}>
                {recentTexts.add}
              </Button>
            }
          >
            {recentTexts.emptyNote}
          </EmptyState>
        )
      }
    </Loaded>
  </section>
)

const assistantsTexts = home.assistants
const MAX_SHOWN = 4

/** The connected assistants, or the way to connect the first one. */
const AssistantsCard = ({ connections }: { connections: readonly AssistantConnection[] }) => (
  <section className="card stack-small" aria-labelledby="assistants">
    <div className="row spread">
      <h2 id="assistants">{assistantsTexts.title}</h2>
      {connections.length > 0 && <Link to="/connect">{assistantsTexts.manage}</Link>}
    </div>
    {connections.length === 0 ? (
      <>
        <p className="quiet">{assistantsTexts.none}</p>
        <p>
          <Link className="button" to="/connect">
            {assistantsTexts.connect}
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
