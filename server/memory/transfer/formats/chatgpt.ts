import { type Message, remembered } from './conversation.ts'
import { type Format, importedFrom } from './format.ts'
import { instantOf, isObject, isText, type JsonObject, objectsOf } from './values.ts'

/** A conversation of ChatGPT's `conversations.json`: a tree, of which one branch was last looked at. */
export const chatgpt: Format = {
  matches: ({ mapping }) => isObject(mapping),
  read(record) {
    const { conversation_id, id, title, create_time, mapping, current_node } = record
    const started = instantOf(create_time)
    const known = [conversation_id, id].find(isText) ?? `${title}:${started}`
    const nodes = isObject(mapping) ? mapping : {}
    return remembered(
      'chatgpt',
      { id: known, title, startedAt: started },
      branchOf(nodes, current_node).flatMap(messageOf),
    )
  },
}

/** The nodes from the root to the one last looked at. */
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

/** Old exports do not say which branch was looked at: then it is the one with the newest message. */
const newestOf = (nodes: JsonObject): unknown =>
  Object.entries(nodes)
    .filter(([, node]) => isObject(node) && isObject(node.message))
    .map(([id, node]) => ({ id, time: timeOf((node as JsonObject).message as JsonObject) }))
    .reduce((newest, each) => (each.time >= newest.time ? each : newest), { id: '', time: -1 }).id

const timeOf = ({ create_time }: JsonObject): number =>
  typeof create_time === 'number' ? create_time : 0

const SPOKEN = new Set(['text', 'multimodal_text', 'code', undefined])

/** What was said by either; not what tools were told and answered, nor what was never shown. */
const messageOf = ({ message }: JsonObject): Message[] => {
  if (!isObject(message) || !isObject(message.author) || !isObject(message.content)) return []
  const { author, content, recipient, metadata, create_time, id } = message
  const { role } = author
  if (role !== 'user' && role !== 'assistant') return []
  if (recipient !== undefined && recipient !== null && recipient !== 'all') return []
  if (isObject(metadata) && metadata.is_visually_hidden_from_conversation === true) return []
  if (!SPOKEN.has(content.content_type as string | undefined)) return []
  const text = textOf(content)
  if (!isText(text)) return []
  return [
    {
      author: role,
      text,
      occurredAt: instantOf(create_time),
      source: importedFrom('chatgpt', id),
    },
  ]
}

/** Parts are text, or objects for pictures and for what was spoken. */
const textOf = ({ parts, text }: JsonObject): string => {
  if (!Array.isArray(parts)) return isText(text) ? text : ''
  const said = parts.filter(isText)
  const spoken = objectsOf(parts)
    .map((part) => part.text)
    .filter(isText)
  return [...said, ...spoken].join('\n')
}
