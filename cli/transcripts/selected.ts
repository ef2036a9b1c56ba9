import { isWithoutMemory, personText } from '../../shared/assistant-text.ts'
import type { CapturedMessage } from '../../shared/contract/capture.ts'
import type {
  TranscriptFile,
  TranscriptFormat,
  TranscriptText,
  TranscriptTurn,
} from './transcript.ts'

export interface TranscriptSelection {
  /** Milliseconds since 1970; only messages since then. */
  since: number | undefined
  /** Whether sessions in a folder are selected. */
  includes: (folder: string | undefined) => boolean
  /** Whether the project of a folder never stores a text. */
  isNever: (folder: string | undefined, text: string) => boolean
}

/** Counts of the text that is not selected. */
export interface ReadCounts {
  excluded: number
  /** Damaged or too long lines and records. */
  unreadable: number
  unreadableFiles: string[]
}

export const newReadCounts = (): ReadCounts => ({
  excluded: 0,
  unreadable: 0,
  unreadableFiles: [],
})

export interface SelectedTurn {
  session: string
  folder: string | undefined
  messages: CapturedMessage[]
}

/** Reads the selected turns of all files, each turn once. A damaged file does not prevent the others. */
export async function* readSelected(
  format: TranscriptFormat,
  files: readonly TranscriptFile[],
  { since, includes, isNever }: TranscriptSelection,
  counts: ReadCounts,
): AsyncGenerator<SelectedTurn> {
  /** The session of each turn. A forked session may begin with the turns of another one. */
  const sessions = new Map<string, string>()
  for (const file of files) {
    if (since !== undefined && file.changedAt < since) continue
    try {
      const turns = format.read(file, () => {
        counts.unreadable += 1
      })
      for await (const turn of turns) {
        const isCounted = turn.id === String(turn.ordinal)
        const first = isCounted ? turn.session : (sessions.get(turn.id) ?? turn.session)
        if (first !== turn.session || !includes(turn.folder)) continue
        if (!isCounted) sessions.set(turn.id, turn.session)
        const { messages, excluded } = messagesOf(turn, (text) => isNever(turn.folder, text))
        const selected = messages.filter(
          ({ occurred_at }) =>
            since === undefined || !occurred_at || Date.parse(occurred_at) >= since,
        )
        counts.excluded += excluded
        if (selected.length)
          yield { session: turn.session, folder: turn.folder, messages: selected }
      }
    } catch {
      counts.unreadableFiles.push(file.path)
    }
  }
}

const MAX_NAME_LENGTH = 200

interface TurnMessages {
  messages: CapturedMessage[]
  /** The number of messages that the person asked not to remember. */
  excluded: number
}

/** The messages of a turn as hooks send them, without what svc or the assistant added. */
const messagesOf = (turn: TranscriptTurn, isNever: (text: string) => boolean): TurnMessages => {
  const { id, ordinal, answer } = turn
  const prompts = turn.prompts
    .map(({ text, at }) => ({ text: personText(text), at }))
    .filter(({ text }) => text !== '')
  const answers = answer && /\S/.test(answer.text) && !isNever(answer.text) ? [answer] : []
  if (id.length > MAX_NAME_LENGTH || turn.session.length > MAX_NAME_LENGTH || prompts.length === 0)
    return { messages: [], excluded: 0 }
  if (prompts.some(({ text }) => isWithoutMemory(text) || isNever(text)))
    return { messages: [], excluded: prompts.length + answers.length }
  const message = (role: 'user' | 'assistant', said: TranscriptText, turnId: string) => ({
    turn: turnId,
    role,
    content: said.text,
    ordinal,
    occurred_at: timestampOf(said.at),
  })
  return {
    messages: [
      ...prompts.map((said, index) => message('user', said, index ? `${id}:${index + 1}` : id)),
      ...answers.map((said) => message('assistant', said, id)),
    ],
    excluded: 0,
  }
}

const timestampOf = (at: string | undefined): string | null => {
  const time = at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
