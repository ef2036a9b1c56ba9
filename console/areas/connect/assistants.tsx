import { getRouteApi, Link } from '@tanstack/react-router'
import { connect } from '../../texts/connect.ts'
import { Page } from '../../ui/page.tsx'
import { ASSISTANT_NAMES, type AssistantChoice, DEFAULT_ASSISTANT } from './assistant-search.ts'
import { ConnectionState } from './connection-state.tsx'
import { clientOf } from './machine.ts'
import { OtherSteps } from './other-steps.tsx'
import { ProcessSteps } from './process-steps.tsx'
import { SignInSteps } from './sign-in-steps.tsx'

const texts = connect.assistants
const route = getRouteApi('/connect/')

export const AssistantsPage = () => {
  const { client: name = DEFAULT_ASSISTANT, way } = route.useSearch()
  const title = titleOf(name)
  const client = clientOf(name)
  return (
    <Page title={texts.title} intro={texts.intro}>
      <div className="assistants">
        <nav className="assistants-list" aria-label={texts.list}>
          {ASSISTANT_NAMES.map((each) => (
            <Link
              key={each}
              to="/connect"
              search={{ client: each }}
              resetScroll={false}
              className="assistants-link"
              aria-current={each === name ? 'page' : undefined}
            >
              {titleOf(each)}
            </Link>
          ))}
        </nav>
        <section className="card assistants-steps" aria-labelledby="assistant" key={name}>
          <h2 id="assistant">{title}</h2>
          {client && <Ways name={name} isProcess={way === 'process'} />}
          {name === 'other' && <OtherSteps />}
          {name !== 'other' && (way !== 'process' || !client) && (
            <SignInSteps name={name} title={title} />
          )}
          {client && way === 'process' && <ProcessSteps name={name} client={client} />}
          <ConnectionState />
        </section>
      </div>
    </Page>
  )
}

const titleOf = (name: AssistantChoice): string =>
  name === 'chatgpt' || name === 'other' ? texts.titles[name] : (clientOf(name)?.title ?? name)

/** Most clients can sign in through the browser, or start svc. */
const Ways = ({ name, isProcess }: { name: AssistantChoice; isProcess: boolean }) => (
  <nav className="tabs-list" aria-label={texts.ways}>
    <Link
      to="/connect"
      search={{ client: name }}
      resetScroll={false}
      activeOptions={{ exact: true }}
      aria-current={isProcess ? undefined : 'page'}
    >
      {texts.signIn}
    </Link>
    <Link
      to="/connect"
      search={{ client: name, way: 'process' }}
      resetScroll={false}
      aria-current={isProcess ? 'page' : undefined}
    >
      {texts.process}
    </Link>
  </nav>
)
