import { basename, join } from 'node:path'
import { personText } from '../../shared/assistant-text.ts'
import { fieldsOf, type JsonObject } from '../../shared/objects.ts'
import { findFiles, readJsonLines } from './files.ts'
import {
  partsText,
  type TranscriptEnvironment,
  type TranscriptFormat,
  type TranscriptText,
  type TranscriptTurn,
  textField,
} from './transcript.ts'

const directory = ({ codexHome, home }: TranscriptEnvironment): string =>
  codexHome ?? join(home, '.codex')

/** `sessions/2026/11/23/rollout-<time>-<session>.jsonl`. Codex moves archived ones, and compresses old ones. */
const DIRECTORIES = ['sessions', 'archived_sessions']
const ROLLOUT = /^rollout-.+\.jsonl(?:\.zst)?$/
const SESSION_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** A turn of which the end was not read yet. */
interface OpenTurn {
  id: string | undefined
  /** Prompts as the person typed them. */
  events: TranscriptText[]
  /** Messages to the model with the role `user`. Old versions have nothing else. */
  items: TranscriptText[]
  answer: TranscriptText | undefined
  isAborted: boolean
}

const newTurn = (id: string | undefined): OpenTurn => ({
  id,
  events: [],
  items: [],
  answer: undefined,
  isAborted: false,
})

export const codexTranscripts: TranscriptFormat = {
  title: 'Codex',
  directory,
  async find(place) {
    const isRollout = (path: string) => ROLLOUT.test(basename(path))
    const found = await Promise.all(
      DIRECTORIES.map((name) => findFiles(join(directory(place), name), isRollout)),
    )
    return found.flat().sort((a, b) => a.changedAt - b.changedAt)
  },

  async *read({ path }, onUnreadable) {
    let session = SESSION_ID.exec(basename(path).slice('rollout-0000-00-00T00-00-00-'.length))?.[0]
    let folder: string | undefined
    let ordinal = 0
    let turn = newTurn(undefined)
    const finish = function* (): Generator<TranscriptTurn> {
      const prompts = turn.events.length ? turn.events : turn.items
      if (prompts.length === 0 || session === undefined) return
      ordinal += 1
      const answer = turn.isAborted ? undefined : turn.answer
      yield { session, folder, id: turn.id ?? String(ordinal), ordinal, prompts, answer }
    }
    for await (const line of readJsonLines(path, onUnreadable)) {
      const { type, timestamp, payload } = fieldsOf(line)
      const fields = fieldsOf(payload)
      if (type === 'session_meta') {
        // A subagent's prompts were written by an assistant. Its `source` is an object.
        if (fieldsOf(fields.source).subagent !== undefined) return
        session = textField(fields.id) ?? session
        folder = textField(fields.cwd)
        continue
      }
      const id = startedTurn(type, fields)
      if (id !== undefined && id !== turn.id && turn.id !== undefined) {
        yield* finish()
        turn = newTurn(id)
      }
      turn.id ??= id
      const said = readText(type, fields)
      if (!said) continue
      // Versions without ids of turns: a prompt after an answer begins a turn.
      if (turn.id === undefined && beginsTurn(turn, said.kind)) {
        yield* finish()
        turn = newTurn(undefined)
      }
      add(turn, said, textField(timestamp))
    }
    yield* finish()
  },
}

/** The id of a turn, where a line begins one. */
const startedTurn = (type: unknown, fields: JsonObject): string | undefined =>
  type === 'turn_context' || (type === 'event_msg' && fields.type === 'task_started')
    ? textField(fields.turn_id)
    : undefined

interface Said {
  kind: 'event' | 'item' | 'answer' | 'end' | 'abort'
  text: string
}

const beginsTurn = (turn: OpenTurn, kind: Said['kind']): boolean =>
  (kind === 'event' && (turn.events.length > 0 || turn.answer !== undefined || turn.isAborted)) ||
  (kind === 'item' && (turn.items.length > 0 || turn.answer !== undefined || turn.isAborted))

const add = (turn: OpenTurn, { kind, text }: Said, at: string | undefined): void => {
  if (kind === 'abort') turn.isAborted = true
  else if (kind === 'event') turn.events.push({ text, at })
  else if (kind === 'item') turn.items.push({ text, at })
  else turn.answer = { text, at }
}

/** The text of a line by the person or the assistant: no tool output, reasoning or instructions. */
const readText = (type: unknown, fields: JsonObject): Said | undefined => {
  const said = type === 'event_msg' ? readEvent(fields) : readItem(type, fields)
  return said && (said.kind === 'abort' || /\S/.test(said.text)) ? said : undefined
}

const readEvent = (fields: JsonObject): Said | undefined => {
  switch (fields.type) {
    case 'user_message':
      return { kind: 'event', text: textField(fields.message) ?? '' }
    case 'agent_message':
      return { kind: 'answer', text: textField(fields.message) ?? '' }
    case 'task_complete':
      return { kind: 'end', text: textField(fields.last_agent_message) ?? '' }
    case 'turn_aborted':
      return { kind: 'abort', text: '' }
    case 'item_completed': {
      const item = fieldsOf(fields.item)
      const text = partsText(item.content)
      if (item.type === 'UserMessage') return { kind: 'event', text }
      return item.type === 'AgentMessage' ? { kind: 'answer', text } : undefined
    }
    default:
      return undefined
  }
}

const readItem = (type: unknown, fields: JsonObject): Said | undefined => {
  if (type !== 'response_item' || fields.type !== 'message') return undefined
  const text = partsText(fields.content)
  if (fields.role === 'assistant') return { kind: 'answer', text }
  return fields.role === 'user' ? { kind: 'item', text: personText(text) } : undefined
}
