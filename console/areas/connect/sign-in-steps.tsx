import { Link } from '@tanstack/react-router'
import type { McpClient, ServerEntry } from '../../../shared/mcp-clients.ts'
import { settingsText } from '../../../shared/mcp-settings.ts'
import { connect } from '../../texts/connect.ts'
import { CopyBlock } from '../../ui/copy.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { AssistantChoice } from './assistant-search.ts'
import { clientOf, isPublicAddress, mcpUrl, settingsFile } from './machine.ts'
import { Step } from './step.tsx'

const texts = connect.assistants

interface SignInStepsProps {
  name: AssistantChoice
  title: string
}

/** The client gets the address of svc, and the user allows it in the browser. */
export const SignInSteps = ({ name, title }: SignInStepsProps) => {
  const client = clientOf(name)
  const entry = client?.entry({ kind: 'http', url: mcpUrl() })
  return (
    <ol className="steps">
      {client && entry ? (
        <EntrySteps name={name} client={client} entry={entry} />
      ) : (
        <ConnectorStep name={name} title={title} />
      )}
      <Step title={texts.allow}>
        <p className="quiet">{texts.allowNote(title)}</p>
      </Step>
    </ol>
  )
}

interface EntryStepsProps {
  name: AssistantChoice
  client: McpClient
  entry: ServerEntry
}

const EntrySteps = ({ name, client, entry }: EntryStepsProps) => {
  const { title } = client
  const file = settingsFile(client)
  const link = client.link?.(entry)
  const commands = client.commands?.(mcpUrl())
  if (commands)
    return (
      <Step title={texts.run}>
        <CopyBlock text={commands.join('\n')} />
        {name === 'claude-code' && <p className="quiet">{texts.claudeCodeSignIn}</p>}
        <Details summary={texts.byHand(file)} text={settingsText(client, entry)} />
      </Step>
    )
  if (link)
    return (
      <Step title={texts.addTo(title)}>
        <p>
          <a className="button primary" href={link}>
            {texts.addTo(title)}
          </a>
        </p>
        <p className="quiet">{texts.openNote(title)}</p>
        <Details summary={texts.byHand(file)} text={settingsText(client, entry)} />
      </Step>
    )
  return (
    <>
      <Step title={texts.toFile(file)}>
        <CopyBlock text={settingsText(client, entry)} />
        <p className="quiet">{texts.toFileNote}</p>
      </Step>
      <Step title={texts.restart(title)} />
    </>
  )
}

const Details = ({ summary, text }: { summary: string; text: string }) => (
  <details className="stack-small">
    <summary>{summary}</summary>
    <CopyBlock text={text} />
    <p className="quiet small">{texts.toFileNote}</p>
  </details>
)

/** The client calls svc from the servers of its vendor, and is set up in its own settings. */
const ConnectorStep = ({ name, title }: SignInStepsProps) => (
  <Step title={texts.connectorTitle}>
    {(name === 'chatgpt' || name === 'claude-desktop') && <p>{texts.connectors[name]}</p>}
    {!isPublicAddress() && (
      <Notice
        look="warn"
        action={
          name !== 'chatgpt' && (
            <Link className="button small" to="/connect" search={{ client: name, way: 'process' }}>
              {texts.useProcess}
            </Link>
          )
        }
      >
        {texts.notPublic(title)}
      </Notice>
    )}
    <CopyBlock text={mcpUrl()} />
  </Step>
)
