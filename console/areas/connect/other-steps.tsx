import { ENTRY_NAME } from '../../../shared/mcp-clients.ts'
import { connect } from '../../texts/connect.ts'
import { CopyBlock } from '../../ui/copy.tsx'
import { KeySnippet } from './key-snippet.tsx'
import { mcpUrl } from './machine.ts'
import { Step } from './step.tsx'

const texts = connect.assistants

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

export const OtherSteps = () => (
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
