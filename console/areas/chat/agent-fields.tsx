import { type Agent, AgentDefinition } from '../../../shared/contract/agents.ts'
import { chat } from '../../texts/chat.ts'
import { TextField } from '../../ui/field.tsx'

const texts = chat.agents

const MAX_TYPE = 100
const MAX_PROSE = 4_000

export const AGENT_FIELDS = Object.keys(AgentDefinition.properties)

/** The fields of an agent's definition, for a form. */
export const AgentFields = ({ agent }: { agent?: Agent }) => (
  <>
    <TextField
      name="agent_type"
      label={texts.type}
      note={texts.typeNote}
      defaultValue={agent?.agent_type ?? ''}
      maxLength={MAX_TYPE}
    />
    <TextField
      name="mandate"
      label={texts.mandate}
      rows={3}
      defaultValue={agent?.mandate ?? ''}
      maxLength={MAX_PROSE}
    />
    <TextField
      name="self_definition"
      label={texts.self}
      rows={3}
      defaultValue={agent?.self_definition ?? ''}
      maxLength={MAX_PROSE}
    />
    <TextField
      name="boundaries"
      label={texts.boundaries}
      note={texts.boundariesNote}
      rows={3}
      defaultValue={agent?.boundaries.join('\n') ?? ''}
    />
  </>
)

/** The definition that a form with these fields has. An empty field is not set. */
export const readAgentFields = (data: FormData) => {
  const text = (name: string) => String(data.get(name) ?? '').trim() || null
  return {
    agent_type: text('agent_type'),
    mandate: text('mandate'),
    self_definition: text('self_definition'),
    boundaries: (text('boundaries') ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
  }
}
