import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { listApps } from '../../../shared/contract/oauth-server.ts'
import { ENTRY_NAME, type McpClient } from '../../../shared/mcp-clients.ts'
import { settingsText } from '../../../shared/mcp-settings.ts'
import { BASE_URL } from '../../base.ts'
import { useApi } from '../../session/query.ts'
import { connect } from '../../texts/connect.ts'
import { CopyBlock } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { ASSISTANT_NAMES, type AssistantChoice, DEFAULT_ASSISTANT } from './assistant-search.ts'
import { KeySnippet } from './key-snippet.tsx'
import { clientOf, mcpUrl, settingsFile } from './machine.ts'
import { SignInSteps } from './sign-in-steps.tsx'
import { Step } from './step.tsx'

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

/** The user allows the assistant in another tab and returns. */
const REFETCH_MS = 10_000

/** Which assistants have signed in, kept current while the user sets one up. */
const ConnectionState = () => {
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

/** Most clients read servers from this table of a JSON file. */
const settings = (key: string): string =>
  JSON.stringify(
    {
      mcpServers: {
        [ENTRY_NAME]: { url: mcpUrl(), headers: { Authorization: `Bearer ${key}` } },
      },
    },
    null,
    2,
  )

const OtherSteps = () => (
  <ul className="steps plain">
    <Step title={texts.address}>
      <CopyBlock text={mcpUrl()} />
      <p className="quiet">{texts.other}</p>
    </Step>
    <Step title={texts.header}>
      <p className="quiet">{texts.headerNote}</p>
      <KeySnippet keyName={texts.keyName('MCP client')} text={settings} />
    </Step>
  </ul>
)

const DEFAULT_COMMAND = 'svc'

interface ProcessStepsProps {
  name: AssistantChoice
  client: McpClient
}

/** The client starts svc on the computer of the user, which calls this server. */
const ProcessSteps = ({ name, client }: ProcessStepsProps) => {
  const [command, setCommand] = useState(DEFAULT_COMMAND)
  const install = [
    `${DEFAULT_COMMAND} login --url ${BASE_URL}`,
    `${DEFAULT_COMMAND} connect ${name}`,
  ]
  const settings = (key: string) => {
    const env = { SVC_URL: BASE_URL, SVC_API_KEY: key }
    const entry = client.entry({ kind: 'stdio', command, args: ['mcp', 'run'], env })
    return entry ? settingsText(client, entry) : ''
  }
  return (
    <ul className="steps plain">
      <Step title={texts.install}>
        <CopyBlock text={install.join('\n')} />
        <p className="quiet">{texts.installNote}</p>
      </Step>
      <Step title={texts.withKey}>
        <p className="quiet">{texts.withKeyNote(settingsFile(client))}</p>
        <TextField
          label={texts.command}
          note={texts.commandNote}
          value={command}
          onChange={setCommand}
        />
        <KeySnippet keyName={texts.keyName(client.title)} text={settings} />
      </Step>
    </ul>
  )
}
