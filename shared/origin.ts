import type { CAPTURE_CHANNELS } from './contract/capture.ts'
import type { Memory, Trust } from './contract/memories.ts'

type Source = Memory['source']
type Channel = (typeof CAPTURE_CHANNELS)[number]

/** Marks text that is not the user's own word. */
const TRUST_NOTES: Readonly<Record<Trust, string>> = {
  user: '',
  assistant: 'an assistant wrote this',
  imported: 'imported',
  external: 'from outside, not verified',
}

/** Whose word a memory is; undefined for the user's. */
export const trustNote = ({ trust }: Pick<Source, 'trust'>): string | undefined =>
  TRUST_NOTES[trust] || undefined

/** A text with whose word it is, unless the user's. */
export const withTrustNote = (text: string, source: Pick<Source, 'trust'>): string => {
  const note = trustNote(source)
  return note ? `${text} (${note})` : text
}

/** The names of assistants, by the `client` of a captured conversation. */
export const ASSISTANT_NAMES: Readonly<Record<string, string>> = {
  codex: 'Codex',
  'claude-code': 'Claude Code',
  opencode: 'OpenCode',
  'gemini-cli': 'Gemini CLI',
  cursor: 'Cursor',
  vscode: 'VS Code',
}

export const assistantName = (client: string): string =>
  Object.hasOwn(ASSISTANT_NAMES, client) ? (ASSISTANT_NAMES[client] ?? client) : client

const CHANNELS: Readonly<Record<Channel, string>> = {
  hook: 'by hook',
  proxy: 'through its model requests',
  import: 'from its transcript',
}

const isChannel = (text: string): text is Channel => Object.hasOwn(CHANNELS, text)

/** The assistant and channel of a captured memory; undefined for others. */
export const captureOf = ({
  kind,
  ref,
}: Pick<Source, 'kind' | 'ref'>): { client: string; channel: Channel } | undefined => {
  if (kind !== 'prompt' && kind !== 'answer') return undefined
  const [channel = '', client] = ref?.split(':', 2) ?? []
  return client && isChannel(channel) ? { client, channel } : undefined
}

/** The source of a captured memory in words, such as `Codex, by hook`. */
export const captureNote = (source: Pick<Source, 'kind' | 'ref'>): string | undefined => {
  const capture = captureOf(source)
  return capture && `${assistantName(capture.client)}, ${CHANNELS[capture.channel]}`
}
