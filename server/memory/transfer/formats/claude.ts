import { isObject, type JsonObject } from '../../../../shared/objects.ts'
import {
  conversationMemories,
  type Format,
  type ImportedMessage,
  importSource,
  isText,
  objectsOf,
  parseForeignInstant,
  type RawMemory,
  splitContent,
  toStorable,
} from './format.ts'

/** A conversation in Claude's `conversations.json`, or a record of its `memories.json`. */
export const claude: Format = {
  matches: (record) =>
    Array.isArray(record.chat_messages) ||
    typeof record.conversations_memory === 'string' ||
    isObject(record.project_memories),
  read: (record) => (Array.isArray(record.chat_messages) ? conversation(record) : memory(record)),
}

const conversation = ({
  uuid,
  name,
  created_at,
  chat_messages,
}: JsonObject): Iterable<RawMemory> => {
  const startedAt = parseForeignInstant(created_at)
  const id = isText(uuid) ? uuid : `${name}:${startedAt}`
  const messages = objectsOf(chat_messages).flatMap(messageOf)
  return conversationMemories('claude', { id, title: name, startedAt }, messages)
}

const messageOf = (message: JsonObject): ImportedMessage[] => {
  const { sender, uuid, created_at } = message
  if (sender !== 'human' && sender !== 'assistant') return []
  const text = textOf(message)
  if (!isText(text)) return []
  return [
    {
      author: sender === 'human' ? 'user' : 'assistant',
      text,
      occurredAt: parseForeignInstant(created_at),
      source: importSource('claude', uuid),
    },
  ]
}

/** The blocks are preferred: `text` has a notice in place of each block that is not text. */
const textOf = ({ content, text }: JsonObject): string => {
  const blocks = objectsOf(content)
    .filter(({ type }) => type === 'text')
    .map((block) => block.text)
    .filter(isText)
  return blocks.length > 0 ? blocks.join('\n\n') : isText(text) ? text : ''
}

function* memory({ conversations_memory, project_memories }: JsonObject): Generator<RawMemory> {
  yield* paragraphs('claude:memory', conversations_memory)
  if (!isObject(project_memories)) return
  for (const [project, text] of Object.entries(project_memories))
    yield* paragraphs(`claude:project:${project}`, text)
}

/** The text has headings. Each paragraph becomes a memory, with the heading above it. */
function* paragraphs(name: string, text: unknown): Generator<RawMemory> {
  if (!isText(text)) return
  const thread = toStorable(name).slice(0, 500)
  let heading = ''
  let position = 0
  for (const paragraph of toStorable(text).split(/\n\s*\n/)) {
    if (isHeading(paragraph.trim())) {
      heading = `${paragraph.trim()}\n`
      continue
    }
    for (const content_text of splitContent(heading + paragraph))
      yield {
        content_text,
        thread,
        position: ++position,
        tags: ['claude'],
        source: importSource('claude', name.slice('claude:'.length)),
      }
  }
}

const isHeading = (paragraph: string): boolean =>
  !paragraph.includes('\n') && /^#+ |^\*\*[^*]+\*\*:?$/.test(paragraph)
