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

const directory = ({ claudeConfigDir, home }: TranscriptEnvironment): string =>
  join(claudeConfigDir ?? join(home, '.claude'), 'projects')

/** `<folder>/<session>.jsonl`. The files of subagents are deeper or begin with `agent-`. */
const SESSION_FILE = /^[^\\/]+[\\/](?!agent-)[^\\/]+\.jsonl$/

interface OpenTurn {
  prompt: TranscriptText
  answer: TranscriptText | undefined
  /** The id of the message that the answer is of. Each part of a message has a line. */
  answerId: unknown
  isInterrupted: boolean
  /** Whether the prompt is a command, which reached the assistant only if that answered. */
  isCommand: boolean
}

export const claudeCodeTranscripts: TranscriptFormat = {
  title: 'Claude Code',
  directory,
  find: (place) => findFiles(directory(place), (path) => SESSION_FILE.test(path)),

  async *read({ path }, onUnreadable) {
    const session = basename(path, '.jsonl')
    let folder: string | undefined
    let ordinal = 0
    let turn: OpenTurn | undefined
    const finish = function* (): Generator<TranscriptTurn> {
      if (!turn || (turn.isCommand && !turn.answer)) return
      ordinal += 1
      const answer = turn.isInterrupted ? undefined : turn.answer
      // Hooks count prompts too: a model's provider, which svc can be, does not get the id of a prompt.
      yield { session, folder, id: String(ordinal), ordinal, prompts: [turn.prompt], answer }
    }
    for await (const value of readJsonLines(path, onUnreadable)) {
      const line = fieldsOf(value)
      folder ??= textField(line.cwd)
      // The messages of a session that this one continues are also in the file of that session.
      if (line.isSidechain === true || (textField(line.sessionId) ?? session) !== session) continue
      const prompt = readPrompt(line)
      if (prompt) {
        yield* finish()
        turn = {
          prompt: { text: prompt.text, at: textField(line.timestamp) },
          answer: undefined,
          answerId: undefined,
          isInterrupted: false,
          isCommand: prompt.isCommand,
        }
      } else if (turn) readAnswer(turn, line)
    }
    yield* finish()
  },
}

const INTERRUPTED = '[Request interrupted by user'

/** The prompt of a line, if a person typed it. */
const readPrompt = (line: JsonObject): { text: string; isCommand: boolean } | undefined => {
  const queued = fieldsOf(line.attachment)
  if (line.type === 'attachment' && queued.type === 'queued_command') {
    const isPrompt = queued.commandMode === undefined || queued.commandMode === 'prompt'
    const text = isPrompt && isByPerson(queued) ? partsText(queued.prompt, ['text']) : ''
    return /\S/.test(text) ? { text, isCommand: false } : undefined
  }
  if (line.type !== 'user' || isAddedLine(line) || !isByPerson(line)) return undefined
  const text = partsText(fieldsOf(line.message).content, ['text'])
  const command = commandOf(text)
  const prompt = command ?? personText(text)
  return prompt === '' ? undefined : { text: prompt, isCommand: command !== undefined }
}

/** Whether Claude Code wrote a line with the role `user`: a tool's result, a summary, a caveat. */
const isAddedLine = (line: JsonObject): boolean => {
  const { content } = fieldsOf(line.message)
  const isResult =
    Array.isArray(content) && content.some((part) => fieldsOf(part).type === 'tool_result')
  return (
    isResult ||
    line.isMeta === true ||
    line.isCompactSummary === true ||
    line.isVisibleInTranscriptOnly === true ||
    line.toolUseResult !== undefined
  )
}

/** Newer versions state the origin of a prompt. */
const isByPerson = ({ origin, promptSource }: JsonObject): boolean =>
  promptSource !== 'system' && (textField(fieldsOf(origin).kind) ?? 'human') === 'human'

/** `/review fix the login`, which a transcript has as elements. */
const commandOf = (text: string): string | undefined => {
  const name = elementText(text, 'command-name')
  if (name === undefined) return undefined
  return `${name} ${elementText(text, 'command-args') ?? ''}`.trim()
}

const elementText = (text: string, name: string): string | undefined => {
  const start = text.indexOf(`<${name}>`)
  const end = text.indexOf(`</${name}>`, start)
  return start === -1 || end === -1 ? undefined : text.slice(start + name.length + 2, end).trim()
}

/** Takes the last message of the assistant that has a text. */
const readAnswer = (turn: OpenTurn, line: JsonObject): void => {
  const message = fieldsOf(line.message)
  if (line.type === 'user' && partsText(message.content, ['text']).startsWith(INTERRUPTED))
    turn.isInterrupted = true
  if (line.type !== 'assistant' || line.isApiErrorMessage === true) return
  if (message.model === '<synthetic>') return
  const text = partsText(message.content, ['text'])
  if (!/\S/.test(text)) return
  const isSame = turn.answer && message.id !== undefined && message.id === turn.answerId
  turn.answer = {
    text: isSame ? `${turn.answer?.text}\n${text}` : text,
    at: textField(line.timestamp),
  }
  turn.answerId = message.id
}
