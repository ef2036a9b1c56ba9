import { type Message, remembered } from './conversation.ts'
import { type Format, importedFrom, type Told } from './format.ts'
import {
  inParts,
  instantOf,
  isObject,
  isText,
  type JsonObject,
  objectsOf,
  storable,
} from './values.ts'

/** A conversation of Claude's `conversations.json`, or what its `memories.json` keeps. */
export const claude: Format = {
  matches: (record) =>
    Array.isArray(record.chat_messages) ||
    typeof record.conversations_memory === 'string' ||
    isObject(record.project_memories),
  read: (record) => (Array.isArray(record.chat_messages) ? conversation(record) : memory(record)),
}

const conversation = ({ uuid, name, created_at, chat_messages }: JsonObject): Iterable<Told> => {
  const startedAt = instantOf(created_at)
  const id = isText(uuid) ? uuid : `${name}:${startedAt}`
  const messages = objectsOf(chat_messages).flatMap(messageOf)
  return remembered('claude', { id, title: name, startedAt }, messages)
}

const messageOf = (message: JsonObject): Message[] => {
  const { sender, uuid, created_at } = message
  if (sender !== 'human' && sender !== 'assistant') return []
  const text = textOf(message)
  if (!isText(text)) return []
  return [
    {
      author: sender === 'human' ? 'user' : 'assistant',
      text,
      occurredAt: instantOf(created_at),
      source: importedFrom('claude', uuid),
    },
  ]
}

/** `text` has a notice in place of each block that is no text, so the blocks come first. */
const textOf = ({ content, text }: JsonObject): string => {
  const blocks = objectsOf(content)
    .filter(({ type }) => type === 'text')
    .map((block) => block.text)
    .filter(isText)
  return blocks.length > 0 ? blocks.join('\n\n') : isText(text) ? text : ''
}

function* memory({ conversations_memory, project_memories }: JsonObject): Generator<Told> {
  yield* paragraphs('claude:memory', conversations_memory)
  if (!isObject(project_memories)) return
  for (const [project, text] of Object.entries(project_memories))
    yield* paragraphs(`claude:project:${project}`, text)
}

/** It is one long text with headings: each paragraph is a memory, with the heading above it. */
function* paragraphs(where: string, text: unknown): Generator<Told> {
  if (!isText(text)) return
  const thread = storable(where).slice(0, 500)
  let heading = ''
  let position = 0
  for (const paragraph of storable(text).split(/\n\s*\n/)) {
    if (/^\s*(#+ .*|\*\*[^*\n]+\*\*:?)\s*$/.test(paragraph)) {
      heading = `${paragraph.trim()}\n`
      continue
    }
    for (const content_text of inParts(heading + paragraph))
      yield {
        content_text,
        thread,
        position: ++position,
        tags: ['claude'],
        source: importedFrom('claude', where.slice('claude:'.length)),
      }
  }
}
