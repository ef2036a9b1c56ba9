import { fieldsOf, type JsonObject } from '../../../shared/objects.ts'
import { textIn } from './dialect.ts'

/** The program that sent a request, and its conversation. */
export interface ProxyClient {
  /** As in the threads of captured conversations. */
  name: string
  /** The id of the conversation; undefined where the program sends none. */
  session: string | undefined
  /** The id of the turn; undefined where the program sends none. */
  turn: string | undefined
  /** Whether hooks of the program identify a turn by the number of its prompt. */
  numbersPrompts: boolean
  /** Whether the program asks for itself: a title, a compaction, a task of another agent. */
  isAside: boolean
}

/** A request, as the clients are recognised by it. */
export interface ClientRequest {
  headers: Headers
  body: JsonObject
  /** The instructions of the request. */
  system: string
  /** The text of the last user message, with what the client added. */
  lastText: string
}

interface ClientRow extends Omit<ProxyClient, 'session' | 'turn' | 'numbersPrompts' | 'isAside'> {
  numbersPrompts?: boolean
  /** The beginning of the user agent, in lower case. */
  agent: string
  session?(request: ClientRequest): string | undefined
  turn?(request: ClientRequest): string | undefined
  isAside?(request: ClientRequest): boolean
}

/** The name of a program that is not listed. */
const OTHER = 'api'

export const identifyClient = (request: ClientRequest): ProxyClient => {
  const agent = request.headers.get('user-agent')?.toLowerCase() ?? ''
  const row = CLIENTS.find((each) => agent.startsWith(each.agent))
  return {
    name: row?.name ?? OTHER,
    session: row?.session?.(request),
    turn: row?.turn?.(request),
    numbersPrompts: row?.numbersPrompts ?? false,
    isAside: row?.isAside?.(request) ?? false,
  }
}

/**
 * Codex describes each request in a header: the kind of request, and who began the thread. It says the
 * same in `client_metadata`.
 */
const codexMetadata = ({ headers, body }: ClientRequest): JsonObject => {
  const sent = headers.get('x-codex-turn-metadata')
  return parsed(sent ?? textIn(fieldsOf(body.client_metadata)['x-codex-turn-metadata']))
}

const isCodexAside = (request: ClientRequest): boolean => {
  const { request_kind: kind, thread_source: source } = codexMetadata(request)
  return (
    (typeof kind === 'string' && kind !== 'turn') ||
    (typeof source === 'string' && source !== 'user') ||
    request.headers.has('x-openai-subagent') ||
    request.lastText.startsWith('You are performing a CONTEXT CHECKPOINT COMPACTION')
  )
}

/** The beginnings of the instructions with which OpenCode asks for titles and summaries. */
const OPENCODE_ASIDES = [
  'You are a title generator',
  'You are a context summarization agent',
  'You are an anchored context summarization',
  'You are a helpful AI assistant tasked with summarizing',
]

const CLAUDE_SYSTEM_ASIDES = [
  'Analyze if this message indicates a new conversation topic',
  'Summarize this coding conversation',
]
const CLAUDE_TEXT_ASIDES = [
  'Your task is to create a detailed summary of the conversation so far',
  'Please write a 5-10 word title for the following conversation',
  '[SUGGESTION MODE:',
]

const isClaudeAside = ({ headers, body, system, lastText }: ClientRequest): boolean =>
  headers.has('x-claude-code-agent-id') ||
  body.max_tokens === 1 ||
  lastText === 'Warmup' ||
  CLAUDE_SYSTEM_ASIDES.some((text) => system.includes(text)) ||
  CLAUDE_TEXT_ASIDES.some((text) => lastText.includes(text))

const LEGACY_SESSION = '_session_'

/** Claude Code sends an object as JSON, and earlier versions `user_…_account_…_session_<id>`. */
const claudeSession = ({ headers, body }: ClientRequest): string | undefined => {
  const user = textIn(fieldsOf(body.metadata).user_id)
  const at = user.lastIndexOf(LEGACY_SESSION)
  return (
    headers.get('x-claude-code-session-id') ??
    (textIn(parsed(user).session_id) ||
      (at < 0 ? undefined : user.slice(at + LEGACY_SESSION.length)))
  )
}

/** The longest id of a turn that captures accept. */
const MAX_TURN_LENGTH = 200

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'codex',
    agent: 'codex',
    session: (request) =>
      request.headers.get('session-id') ??
      request.headers.get('session_id') ??
      (textIn(fieldsOf(request.body.client_metadata).session_id) ||
        textIn(request.body.prompt_cache_key)),
    turn: (request) => textIn(codexMetadata(request).turn_id) || undefined,
    isAside: isCodexAside,
  },
  {
    name: 'opencode',
    agent: 'opencode/',
    numbersPrompts: true,
    session: ({ headers }) =>
      headers.get('x-session-id') ??
      headers.get('x-opencode-session') ??
      headers.get('x-session-affinity') ??
      undefined,
    // The plugin of svc adds it. Its hook stores the turn under the same id.
    turn: ({ headers }) => headers.get('x-svc-turn')?.slice(0, MAX_TURN_LENGTH) || undefined,
    isAside: ({ headers, system, lastText }) =>
      headers.has('x-parent-session-id') ||
      OPENCODE_ASIDES.some((text) => system.startsWith(text)) ||
      lastText.includes('anchored summary from the conversation history'),
  },
  {
    name: 'claude-code',
    agent: 'claude-cli/',
    numbersPrompts: true,
    session: claudeSession,
    isAside: isClaudeAside,
  },
  { name: 'cursor', agent: 'cursor/' },
  { name: 'vscode', agent: 'githubcopilotchat/' },
]

const parsed = (json: string): JsonObject => {
  if (!json.startsWith('{')) return {}
  try {
    return fieldsOf(JSON.parse(json))
  } catch {
    return {}
  }
}
