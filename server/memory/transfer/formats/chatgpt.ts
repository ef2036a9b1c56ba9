import { conversationMemories, type ImportedMessage } from './conversation.ts'
import { type Format, importSource } from './format.ts'
import { isObject, isText, type JsonObject, objectsOf, parseForeignInstant } from './values.ts'

/** A conversation in ChatGPT's `conversations.json`: a tree of messages with a selected branch. */
export const chatgpt: Format = {
  matches: ({ mapping }) => isObject(mapping),
  read(record) {
    const { conversation_id, id, title, create_time, mapping, current_node } = record
    const started = parseForeignInstant(create_time)
    const conversationId = [conversation_id, id].find(isText) ?? `${title}:${started}`
    const nodes = isObject(mapping) ? mapping : {}
    return conversationMemories(
      'chatgpt',
      { id: conversationId, title, startedAt: started },
      branchOf(nodes, current_node).flatMap(messageOf),
    )
  },
}

/** The nodes from the root to the selected one. */
const branchOf = (nodes: JsonObject, current: unknown): JsonObject[] => {
  const branch: JsonObject[] = []
  const seen = new Set<unknown>()
  let id = isText(current) && isObject(nodes[current]) ? current : newestOf(nodes)
  while (isText(id) && isObject(nodes[id]) && !seen.has(id)) {
    seen.add(id)
    const node = nodes[id] as JsonObject
    branch.push(node)
    id = node.parent
  }
  return branch.reverse()
}

/** Old exports do not name the selected branch: the one with the newest message is used. */
const newestOf = (nodes: JsonObject): unknown =>
  Object.entries(nodes)
    .filter(([, node]) => isObject(node) && isObject(node.message))
    .map(([id, node]) => ({ id, time: timeOf((node as JsonObject).message as JsonObject) }))
    .reduce((newest, each) => (each.time >= newest.time ? each : newest), { id: '', time: -1 }).id

const timeOf = ({ create_time }: JsonObject): number =>
  typeof create_time === 'number' ? create_time : 0

const TEXT_TYPES = new Set(['text', 'multimodal_text', 'code', undefined])

/** Messages of the user and the assistant, without tool calls and hidden messages. */
const messageOf = ({ message }: JsonObject): ImportedMessage[] => {
  if (!isObject(message) || !isObject(message.author) || !isObject(message.content)) return []
  const { author, content, recipient, metadata, create_time, id } = message
  const { role } = author
  if (role !== 'user' && role !== 'assistant') return []
  if (recipient !== undefined && recipient !== null && recipient !== 'all') return []
  if (isObject(metadata) && metadata.is_visually_hidden_from_conversation === true) return []
  if (!TEXT_TYPES.has(content.content_type as string | undefined)) return []
  const text = textOf(content)
  if (!isText(text)) return []
  return [
    {
      author: role,
      text,
      occurredAt: parseForeignInstant(create_time),
      source: importSource('chatgpt', id),
    },
  ]
}

/** Parts are strings, or objects for images and transcribed speech. */
const textOf = ({ parts, text }: JsonObject): string => {
  if (!Array.isArray(parts)) return isText(text) ? text : ''
  const written = parts.filter(isText)
  const spoken = objectsOf(parts)
    .map((part) => part.text)
    .filter(isText)
  return [...written, ...spoken].join('\n')
}
