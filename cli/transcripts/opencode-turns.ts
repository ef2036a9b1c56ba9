import { fieldsOf, type JsonObject } from '../../shared/objects.ts'
import { type TranscriptTurn, textField } from './transcript.ts'

interface StoredSession {
  session: string
  folder: string | undefined
  /** In order. */
  messages: () => Iterable<JsonObject>
  parts: (messageId: string) => JsonObject[]
}

/** The turns of a session: a message of the user, and the last text of the messages that answer it. */
export function* turnsOf({
  session,
  folder,
  messages,
  parts,
}: StoredSession): Generator<TranscriptTurn> {
  let ordinal = 0
  let turn: TranscriptTurn | undefined
  for (const { id, ...message } of messages()) {
    const text = typeof id === 'string' ? textOf(parts(id)) : ''
    if (typeof id !== 'string' || !/\S/.test(text)) continue
    const said = { text, at: timeOf(message) }
    if (message.role === 'user') {
      if (turn) yield turn
      ordinal += 1
      turn = { session, folder, id, ordinal, prompts: [said], answer: undefined }
    } else if (turn && turn.id === message.parentID && isAnswer(message)) turn.answer = said
  }
  if (turn) yield turn
}

/** A summary of the conversation is no answer, and neither is the text of a turn that was aborted. */
const isAnswer = ({ role, summary, mode, error }: JsonObject): boolean =>
  role === 'assistant' && summary !== true && mode !== 'compaction' && error === undefined

/** The text of a person or the model. Parts that OpenCode or a plugin added are `synthetic`. */
const textOf = (parts: JsonObject[]): string =>
  parts
    .filter(({ type, synthetic, ignored }) => type === 'text' && !synthetic && !ignored)
    .map(({ text }) => textField(text) ?? '')
    .join('\n\n')

const timeOf = ({ time }: JsonObject): string | undefined => {
  const { created, completed } = fieldsOf(time)
  const at = completed ?? created
  return typeof at === 'number' && Number.isFinite(at) && Math.abs(at) <= 8.64e15
    ? new Date(at).toISOString()
    : undefined
}
