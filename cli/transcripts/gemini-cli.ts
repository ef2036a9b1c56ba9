import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { personText } from '../../shared/assistant-text.ts'
import { fieldsOf, type JsonObject } from '../../shared/objects.ts'
import { findFiles, readJsonLines } from './files.ts'
import {
  type OnUnreadable,
  partsText,
  type TranscriptEnvironment,
  type TranscriptFormat,
  type TranscriptText,
  type TranscriptTurn,
  textField,
} from './transcript.ts'

const directory = ({ home }: TranscriptEnvironment): string => join(home, '.gemini', 'tmp')

/** `<project>/chats/session-<time>-<id>.jsonl`, before 2026 one JSON value in `.json`. */
const SESSION_FILE = /^[^\\/]+[\\/]chats[\\/]session-[^\\/]+\.jsonl?$/

export const geminiTranscripts: TranscriptFormat = {
  title: 'Gemini CLI',
  directory,
  async find(place) {
    const files = await findFiles(directory(place), (path) => SESSION_FILE.test(path))
    // A resumed session of the old form is continued in a file of the new one, which has all of it.
    return files.filter(({ path }) => !(path.endsWith('.json') && existsSync(`${path}l`)))
  },

  async *read({ path }, onUnreadable) {
    let session: string | undefined
    const folder = readFolder(path)
    /** The number of the turn of each record. A record is written again when it changes. */
    const turnOf = new Map<unknown, number>()
    let ordinal = 0
    let prompt: TranscriptText | undefined
    let answer: TranscriptText | undefined
    const current = (): TranscriptTurn | undefined =>
      prompt && session !== undefined
        ? { session, folder, id: String(ordinal), ordinal, prompts: [prompt], answer }
        : undefined
    for await (const record of readRecords(path, onUnreadable)) {
      session ??= textField(record.sessionId)
      // A subagent's prompts were written by an assistant.
      if (record.kind === 'subagent') return
      const { id, type } = record
      const isPrompt = type === 'user'
      const written = partsText(record.displayContent ?? record.content)
      const text = isPrompt ? personText(written) : written
      const isKnown = turnOf.has(id) && (isPrompt || turnOf.get(id) !== ordinal)
      if (isKnown || !(isPrompt || type === 'gemini') || !/\S/.test(text)) continue
      const said = { text, at: textField(record.timestamp) }
      if (isPrompt) {
        const turn = current()
        if (turn) yield turn
        ordinal += 1
        prompt = said
        answer = undefined
      } else answer = said
      turnOf.set(id, ordinal)
    }
    const turn = current()
    if (turn) yield turn
  },
}

/** The records of messages. The first record has the session. */
async function* readRecords(path: string, onUnreadable: OnUnreadable): AsyncGenerator<JsonObject> {
  if (path.endsWith('.jsonl')) {
    for await (const line of readJsonLines(path, onUnreadable)) yield fieldsOf(line)
    return
  }
  try {
    const { messages, ...head } = fieldsOf(JSON.parse(await Bun.file(path).text()))
    yield head
    if (Array.isArray(messages)) yield* messages.map(fieldsOf)
  } catch {
    onUnreadable()
  }
}

/** The folder of a project, which Gemini CLI since 2026 writes beside its chats. */
const readFolder = (path: string): string | undefined => {
  try {
    const file = join(dirname(dirname(path)), '.project_root')
    return readFileSync(file, 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}
