import { fieldsOf } from '../../../shared/objects.ts'
import {
  type AnswerReader,
  contextMessage,
  type Dialect,
  listIn,
  MAX_STORED_CHARACTERS,
  modelMessage,
  type ProxiedMessage,
  textIn,
  textsOf,
  userMessage,
} from './dialect.ts'

const TEXTS = ['text']
const MEDIA = ['image_url', 'input_audio', 'file']

const messageOf = (value: unknown): ProxiedMessage => {
  const { role, content } = fieldsOf(value)
  if (role === 'user') return userMessage(content, TEXTS, MEDIA)
  if (role === 'system' || role === 'developer')
    return contextMessage(textsOf(content, TEXTS).join('\n'))
  return modelMessage(textsOf(content, TEXTS).join('\n'))
}

const createReader = (): AnswerReader => {
  let text = ''
  let reason: string | undefined
  let callsTool = false
  const read = (message: unknown) => {
    const { content, tool_calls, function_call } = fieldsOf(message)
    text += textIn(content)
    callsTool ||= listIn(tool_calls).length > 0 || Boolean(function_call)
  }
  const readChoice = (choice: unknown, name: 'delta' | 'message') => {
    const { index, finish_reason, ...fields } = fieldsOf(choice)
    if (index !== undefined && index !== 0) return
    if (text.length <= MAX_STORED_CHARACTERS) read(fields[name])
    if (typeof finish_reason === 'string') reason = finish_reason
  }
  return {
    onEvent({ choices }) {
      for (const choice of listIn(choices)) readChoice(choice, 'delta')
    },
    onBody({ choices }) {
      for (const choice of listIn(choices)) readChoice(choice, 'message')
    },
    answer() {
      if (reason === undefined) return undefined
      const isFinal = reason === 'stop' && !callsTool
      return { text: isFinal && text.length <= MAX_STORED_CHARACTERS ? text : undefined }
    },
  }
}

/**
 * OpenAI's chat completions. The memories are a `user` message after that of the person. Servers of models
 * without a `developer` role refuse one, many templates accept `system` as the first message only, and
 * gateways move it to the beginning, which changes the prefix that the provider has cached. Consecutive
 * `user` messages are accepted everywhere, and joined where a model needs alternating roles.
 */
export const chatCompletionsDialect: Dialect = {
  messagesName: 'messages',
  messagesOf: ({ messages }) => listIn(messages).map(messageOf),
  systemOf: ({ messages }) => {
    const first = listIn(messages)
      .map(fieldsOf)
      .find(({ role }) => role === 'system' || role === 'developer')
    return textsOf(first?.content, TEXTS).join('\n')
  },
  insertAfter: (_json, { end }, _value, text) => [
    { at: end, text: `,${JSON.stringify({ role: 'user', content: text })}` },
  ],
  createReader,
}
