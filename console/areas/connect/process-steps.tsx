import { useState } from 'react'
import type { McpClient } from '../../../shared/mcp-clients.ts'
import { settingsText } from '../../../shared/mcp-settings.ts'
import { BASE_URL } from '../../base.ts'
import { connect } from '../../texts/connect.ts'
import { CopyBlock } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import type { AssistantChoice } from './assistant-search.ts'
import { KeySnippet } from './key-snippet.tsx'
import { settingsFile } from './machine.ts'
import { Step } from './step.tsx'

const texts = connect.assistants
const DEFAULT_COMMAND = 'svc'

interface ProcessStepsProps {
  name: AssistantChoice
  client: McpClient
}

/** The client starts svc on the computer of the user, which calls this server. */
export const ProcessSteps = ({ name, client }: ProcessStepsProps) => {
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
