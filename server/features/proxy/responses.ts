import { fieldsOf, type JsonObject } from '../../../shared/objects.ts'
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

const TEXTS = ['input_text', 'text']
const MEDIA = ['input_image', 'input_file', 'input_audio']

const messageOf = (value: unknown): ProxiedMessage => {
  const { type = 'message', role, content } = fieldsOf(value)
  if (type !== 'message') return modelMessage()
  if (role === 'user') return userMessage(content, TEXTS, MEDIA)
  if (role === 'system' || role === 'developer')
    return contextMessage(textsOf(content, TEXTS).join('\n'))
  return modelMessage(textsOf(content, ['output_text']).join('\n'))
}

const createReader = (): AnswerReader => {
  const items: JsonObject[] = []
  let status: string | undefined
  let id: string | undefined
  const complete = (response: JsonObject) => {
    id = textIn(response.id) || undefined
    status = textIn(response.status) || 'completed'
    // Some servers list the items in the last event only.
    if (items.length === 0) items.push(...listIn(response.output).map(fieldsOf))
  }
  return {
    onEvent({ type, item, response }) {
      if (type === 'response.output_item.done') items.push(fieldsOf(item))
      if (type === 'response.completed') complete(fieldsOf(response))
      if (type === 'response.incomplete') status = 'incomplete'
    },
    onBody(body) {
      if (body.status === 'completed' || body.status === undefined) complete(body)
      else if (body.status === 'incomplete') status = 'incomplete'
    },
    answer() {
      if (status === undefined) return undefined
      if (status !== 'completed' || items.some(isCall)) return { text: undefined, id }
      const last = items.findLast(({ type, role }) => type === 'message' && role === 'assistant')
      const text = textsOf(last?.content, ['output_text']).join('')
      return { text: last && text.length <= MAX_STORED_CHARACTERS ? text : undefined, id }
    },
  }
}

/** Calls that the client answers. The provider itself runs tools such as `web_search_call`. */
const CALLS = ['function_call', 'custom_tool_call', 'local_shell_call', 'shell_call']
const CLIENT_CALLS = [...CALLS, 'apply_patch_call', 'computer_call', 'mcp_approval_request']

const isCall = ({ type }: JsonObject): boolean => CLIENT_CALLS.includes(textIn(type))

const memoryItem = (text: string): string =>
  JSON.stringify({
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text }],
  })

/** OpenAI's Responses. The memories are a `developer` message after that of the person. */
export const responsesDialect: Dialect = {
  messagesName: 'input',
  messagesOf: ({ input }) =>
    typeof input === 'string' ? [userMessage(input, TEXTS, MEDIA)] : listIn(input).map(messageOf),
  systemOf: ({ instructions, input }) => {
    const first = listIn(input)
      .map(fieldsOf)
      .find(({ role }) => role === 'system' || role === 'developer')
    return textIn(instructions) || textsOf(first?.content, TEXTS).join('\n')
  },
  continuedBy: ({ previous_response_id, conversation }) => ({
    response: textIn(previous_response_id) || undefined,
    conversation: textIn(conversation) || textIn(fieldsOf(conversation).id) || undefined,
  }),
  insertAfter: (_json, { end }, _value, text) => [{ at: end, text: `,${memoryItem(text)}` }],
  insertAfterOnly: ({ start, end }, text) => [
    { at: start, text: '[{"type":"message","role":"user","content":' },
    { at: end, text: `},${memoryItem(text)}]` },
  ],
  createReader,
}
