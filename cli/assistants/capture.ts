import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { isObject, type JsonObject } from '../../shared/objects.ts'
import { type Assistant, type AssistantName, assistants } from './clients.ts'

/** The longest text that the server stores; `shared/contract/capture.ts` has the same limit. */
export const MAX_CONTENT = 400_000
const MAX_ID_LENGTH = 200

/** An event of an assistant, in one form for all of them. */
export interface HookEvent {
  kind: keyof Assistant['events']
  /** The name in the input. */
  name: string
  session: string
  /** The folder of the project. */
  folder: string | undefined
  prompt: string | undefined
  /** The text of the assistant. */
  answer: string | undefined
  /** The id of the turn, of an assistant that has one. */
  turn: string | undefined
  /** The number of the prompt, if the input has it. */
  ordinal: number | undefined
  transcript: string | undefined
  /** Whether the model no longer has what the session was given. */
  isCompacted: boolean
}

/** The sources of a session that starts without the texts before. */
const COMPACTED_SOURCES = ['compact', 'clear']

/**
 * Reads the input of a hook. The names of the fields are those of the documentation of the assistants.
 * @param named the event, for an assistant whose input does not name it.
 * @returns undefined for an event that svc does not use, and for input without a session.
 */
export const readEvent = (
  client: AssistantName,
  input: unknown,
  named: string | undefined,
): HookEvent | undefined => {
  // A subagent's prompts are written by an assistant.
  if (!isObject(input) || typeof input.agent_id === 'string') return undefined
  if (isOfAnother(client, input)) return undefined
  const text = (...names: string[]) => firstText(input, names)
  const name = text('hook_event_name', 'hookEventName') ?? named
  const kind = name && kindOf(assistants[client], name)
  const session = text('conversation_id', 'session_id', 'sessionId', 'sessionID')
  if (!kind || session === undefined || !/\S/.test(session)) return undefined
  const { workspace_roots: roots, ordinal } = input
  const folder = text('cwd') ?? (Array.isArray(roots) ? roots[0] : undefined)
  const turn = text('turn_id', 'turnId', 'prompt_id', 'generation_id')
  return {
    kind,
    name,
    session: toId(session),
    folder: typeof folder === 'string' && isAbsolute(folder) ? folder : undefined,
    prompt: text('prompt'),
    answer: text('last_assistant_message', 'prompt_response', 'text'),
    turn: turn && /\S/.test(turn) ? toId(turn) : undefined,
    ordinal: isOrdinal(ordinal) ? ordinal : undefined,
    transcript: text('transcript_path', 'transcriptPath'),
    isCompacted:
      kind === 'compaction' ||
      (kind === 'start' && COMPACTED_SOURCES.includes(text('source') ?? '')),
  }
}

/**
 * VS Code and Cursor can run the hooks of Claude Code as well, with input in a form of their own. Their own
 * hooks store such a turn.
 */
const isOfAnother = (client: AssistantName, input: JsonObject): boolean =>
  client === 'claude-code' &&
  ['hookEventName', 'sessionId', 'conversation_id', 'cursor_version'].some((name) => name in input)

const kindOf = ({ events }: Assistant, name: string): HookEvent['kind'] | undefined =>
  (Object.keys(events) as HookEvent['kind'][]).find((kind) => events[kind]?.includes(name))

const firstText = (input: JsonObject, names: string[]): string | undefined =>
  names.map((name) => input[name]).find((value) => typeof value === 'string')

const MAX_ORDINAL = 10_000_000
const isOrdinal = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ORDINAL

/** An id that the server accepts: one that is too long is hashed. */
const toId = (id: string): string => {
  const clean = id.replace(/[\x00-\x1f\x7f]/g, '').toWellFormed()
  return clean.length <= MAX_ID_LENGTH && /\S/.test(clean)
    ? clean
    : createHash('sha256').update(id).digest('hex')
}

/** A request has at most 1 MiB, and a character up to six bytes in JSON. */
const MAX_CONTENT_BYTES = 900_000

/**
 * A text that the server stores: without the character that PostgreSQL cannot store, and cut at the limit. A
 * longer text has a file or a log that was pasted; its beginning is kept.
 */
export const storableText = (text: string): string => {
  let kept = text.replaceAll('\0', '').slice(0, MAX_CONTENT)
  while (Buffer.byteLength(JSON.stringify(kept)) > MAX_CONTENT_BYTES)
    kept = kept.slice(0, Math.floor(kept.length * 0.75))
  return kept.toWellFormed()
}
