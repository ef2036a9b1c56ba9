import { isObject, type JsonObject } from '../../../../shared/objects.ts'
import {
  conversationMemories,
  type Format,
  type ImportedMessage,
  importSource,
  isText,
  objectsOf,
  parseForeignInstant,
} from './format.ts'

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

const nodeAt = (nodes: JsonObject, id: unknown): JsonObject | undefined => {
  const node = isText(id) ? nodes[id] : undefined
  return isObject(node) ? node : undefined
}

/** The nodes from the root to the selected one. */
const branchOf = (nodes: JsonObject, current: unknown): JsonObject[] => {
  const branch: JsonObject[] = []
  const seen = new Set<JsonObject>()
  let node = nodeAt(nodes, current) ?? nodeAt(nodes, newestOf(nodes))
  while (node && !seen.has(node)) {
    seen.add(node)
    branch.push(node)
    node = nodeAt(nodes, node.parent)
  }
  return branch.reverse()
}

/** Old exports do not name the selected branch: the one with the newest message is used. */
const newestOf = (nodes: JsonObject): string =>
  Object.entries(nodes)
    .flatMap(([id, node]) =>
      isObject(node) && isObject(node.message) ? [{ id, time: timeOf(node.message) }] : [],
    )
    .reduce((newest, each) => (each.time >= newest.time ? each : newest), { id: '', time: -1 }).id

const timeOf = ({ create_time }: JsonObject): number =>
  typeof create_time === 'number' ? create_time : 0

const TEXT_TYPES = new Set<unknown>(['text', 'multimodal_text', 'code', undefined])

/** Messages of the user and the assistant, without tool calls and hidden messages. */
const messageOf = ({ message }: JsonObject): ImportedMessage[] => {
  if (!isObject(message) || !isObject(message.author) || !isObject(message.content)) return []
  const { author, content, recipient, metadata, create_time, id } = message
  const { role } = author
  if (role !== 'user' && role !== 'assistant') return []
  if (recipient !== undefined && recipient !== null && recipient !== 'all') return []
  if (isObject(metadata) && metadata.is_visually_hidden_from_conversation === true) return []
  if (!TEXT_TYPES.has(content.content_type)) return []
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
