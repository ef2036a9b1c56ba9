import { listEngines } from '../../../shared/contract/engines.ts'
import { healthDetail } from '../../../shared/contract/health.ts'
import { listMemories } from '../../../shared/contract/memory-lists.ts'
import { me } from '../../../shared/contract/sessions.ts'
import { useApi, useFirstLoad } from '../../session/query.ts'
import { home } from '../../texts/home.ts'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { AskForm } from './ask-form.tsx'
import { useAsked } from './asked.ts'
import { AssistantsCard } from './assistants-card.tsx'
import { Attention } from './attention.tsx'
import { useConnections } from './connections.ts'
import { FirstSteps } from './first-steps.tsx'
import { Month } from './month.tsx'
import { Recent } from './recent.tsx'
import { RememberForm } from './remember-form.tsx'
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
