import { isWithoutMemory, personText } from '../../shared/assistant-text.ts'
import type { CapturedMessage } from '../../shared/contract/capture.ts'
import type { TranscriptText, TranscriptTurn } from './transcript.ts'

const MAX_NAME_LENGTH = 200

export interface TurnMessages {
  messages: CapturedMessage[]
  /** The number of messages that the person asked not to remember. */
  excluded: number
}

/** The messages of a turn as hooks send them, without what svc or the assistant added. */
export const messagesOf = (turn: TranscriptTurn): TurnMessages => {
  const { id, ordinal, answer } = turn
  const prompts = turn.prompts
    .map(({ text, at }) => ({ text: personText(text), at }))
    .filter(({ text }) => text !== '')
  const answers = answer && /\S/.test(answer.text) ? [answer] : []
  if (id.length > MAX_NAME_LENGTH || turn.session.length > MAX_NAME_LENGTH || prompts.length === 0)
    return { messages: [], excluded: 0 }
  if (prompts.some(({ text }) => isWithoutMemory(text)))
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
