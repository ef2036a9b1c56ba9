import { type ClientName, mcpClients } from '../../../shared/mcp-clients.ts'
import { keysOf } from '../../../shared/objects.ts'

/** `chatgpt` has no settings file, and `other` is any other MCP client. */
export type AssistantChoice = ClientName | 'chatgpt' | 'other'

const clientNames = keysOf(mcpClients)

/** In the order of the list. */
export const ASSISTANT_NAMES: readonly AssistantChoice[] = [
  ...clientNames.slice(0, 2),
  'chatgpt',
  ...clientNames.slice(2),
  'other',
]

export const DEFAULT_ASSISTANT: AssistantChoice = 'claude-code'

/** Through the browser, or as a process that the assistant starts. */
export type Way = 'process'

export interface AssistantSearch {
  client?: AssistantChoice
  way?: Way
}

export const readAssistantSearch = ({ client, way }: Record<string, unknown>): AssistantSearch => {
  const name = ASSISTANT_NAMES.find((each) => each === client)
  return { ...(name && { client: name }), ...(way === 'process' && { way }) }
}
