import { type CapturedMessage, MAX_CAPTURED_LENGTH } from '../../shared/contract/capture.ts'
import { withoutAddedText } from './added-text.ts'
import type { TranscriptText, Turn } from './transcript.ts'

/** A prompt that begins with it is not remembered, and neither is its answer. */
const NOT_REMEMBERED = /^\s*#nomem\b/i

/** A request has at most 1 MiB, and a character up to three bytes. */
const MAX_CONTENT_BYTES = 900_000
const MAX_NAME_LENGTH = 200

export interface TurnMessages {
  messages: CapturedMessage[]
  /** The number of messages that the person asked not to remember. */
  excluded: number
}

/** The messages of a turn as hooks send them, without what svc or the assistant added. */
export const messagesOf = (turn: Turn): TurnMessages => {
  const { id, ordinal, answer } = turn
  const prompts = turn.prompts
    .map(({ text, at }) => ({ text: withoutAddedText(text), at }))
    .filter(({ text }) => /\S/.test(text))
  const answers = answer && /\S/.test(answer.text) ? [answer] : []
  if (id.length > MAX_NAME_LENGTH || turn.session.length > MAX_NAME_LENGTH || prompts.length === 0)
    return { messages: [], excluded: 0 }
  if (prompts.some(({ text }) => NOT_REMEMBERED.test(text)))
    return { messages: [], excluded: prompts.length + answers.length }
  const message = (role: 'user' | 'assistant', said: TranscriptText, turnId: string) => ({
    turn: turnId,
    role,
    content: cut(said.text),
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

/** A longer text has a file or a log that was pasted; its beginning is kept. */
const cut = (text: string): string => {
  const kept = text.slice(0, MAX_CAPTURED_LENGTH)
  return Buffer.byteLength(kept) <= MAX_CONTENT_BYTES
    ? kept
    : Buffer.from(kept).subarray(0, MAX_CONTENT_BYTES).toString().slice(0, -1)
}

const timestampOf = (at: string | undefined): string | null => {
  const time = at === undefined ? Number.NaN : Date.parse(at)
  return Number.isNaN(time) ? null : new Date(time).toISOString()
}
