import { personText } from '../../../shared/assistant-text.ts'
import { fieldsOf, type JsonObject } from '../../../shared/objects.ts'
import {
  type AnswerReader,
  type Dialect,
  listIn,
  MAX_STORED_CHARACTERS,
  modelMessage,
  type ProxiedMessage,
  textIn,
  textsOf,
  userMessage,
} from './dialect.ts'
import { elementSpans, memberSpan } from './json-text.ts'

const TEXTS = ['text']
const MEDIA = ['image', 'document']

/** A user message with the results of tools alone belongs to the model's turn. */
const messageOf = (value: unknown): ProxiedMessage => {
  const { role, content } = fieldsOf(value)
  if (role !== 'user') return modelMessage(textsOf(content, TEXTS).join('\n'))
  const message = userMessage(content, TEXTS, MEDIA)
  const hasResult = listIn(content).some((part) => textIn(fieldsOf(part).type).endsWith('_result'))
  return hasResult && !message.text ? modelMessage(message.raw) : message
}

const FINAL_REASONS = ['end_turn', 'stop_sequence']

const createReader = (): AnswerReader => {
  let text = ''
  let reason: string | undefined
  let isComplete = false
  const add = (piece: unknown) => {
    if (text.length <= MAX_STORED_CHARACTERS) text += textIn(piece)
  }
  return {
    onEvent({ type, delta, content_block }) {
      if (type === 'content_block_start') add(fieldsOf(content_block).text)
      if (type === 'content_block_delta') add(textDelta(fieldsOf(delta)))
      if (type === 'message_delta') reason = textIn(fieldsOf(delta).stop_reason) || reason
      if (type === 'message_stop') isComplete = true
    },
    onBody(body) {
      if (body.type !== 'message') return
      add(textsOf(body.content, TEXTS).join(''))
      reason = textIn(body.stop_reason)
      isComplete = true
    },
    answer() {
      if (!isComplete) return undefined
      const isFinal = FINAL_REASONS.includes(reason ?? '')
      return { text: isFinal && text.length <= MAX_STORED_CHARACTERS ? text : undefined }
    },
  }
}

const textDelta = ({ type, text }: JsonObject): unknown =>
  type === 'text_delta' ? text : undefined

const memoryPart = (text: string): string => JSON.stringify({ type: 'text', text })

/** Anthropic's Messages. The memories are a text part after that of the person, in the same message. */
export const anthropicDialect: Dialect = {
  messagesName: 'messages',
  messagesOf: ({ messages }) => listIn(messages).map(messageOf),
  systemOf: ({ system }) => textsOf(system, TEXTS).join('\n'),
  insertAfter(json, message, value, text) {
    const content = memberSpan(json, message, 'content')
    if (!content) return []
    const parts = fieldsOf(value).content
    if (typeof parts === 'string')
      return [
        { at: content.start, text: '[{"type":"text","text":' },
        { at: content.end, text: `},${memoryPart(text)}]` },
      ]
    const last = listIn(parts).findLastIndex((part) => {
      const { type, text: written } = fieldsOf(part)
      return type === 'text' && personText(textIn(written)) !== ''
    })
    const after = elementSpans(json, content).at(last)
    return after ? [{ at: after.end, text: `,${memoryPart(text)}` }] : []
  },
  createReader,
}
