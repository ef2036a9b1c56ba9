import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import { estimateMessageTokens, estimateTokens } from '../../platform/models/tokens.ts'
import type { ContentPart, Message } from '../../platform/models/types.ts'
import { type DataItem, type DataMarks, dataPart } from './data.ts'
import { dayOf } from './day.ts'
import { cutTo, firstWithin, share } from './fit.ts'

/** What the answer may take of the window, at most. */
const ANSWER_TOKENS = 4_096
const ANSWER_SHARE = 0.25
/** What descriptions of tools take, rather too many. */
const TOOL_TOKENS = 200
/** The shares of what the system prompt leaves: of the question, of memories, and of files and pages. */
const QUESTION_SHARE = 0.5
const MEMORY_SHARE = 0.3
const TEXT_SHARE = 0.5
/** The most that one memory, or one message of the history, takes of what all of them may. */
const MOST_OF_MEMORIES = 0.25
const MOST_OF_HISTORY = 0.5
/** What the tags around an item and its attributes take. */
const ITEM_TOKENS = 60

export interface Ingredients {
  system: string
  question: string
  pictures: ContentPart[]
  /** Best first. */
  memories: RecalledMemory[]
  /** Files, pages and the like. */
  texts: DataItem[]
  /** Oldest first. */
  history: Message[]
  toolCount: number
  /** Where the person is. */
  timezone: string
}

/**
 * The messages of a prompt that fits the window. What is quoted stands before the question, between
 * the marks; the newest of what was said before is kept.
 */
export const assemble = (
  { system, question, pictures, memories, texts, history, toolCount, timezone }: Ingredients,
  marks: DataMarks,
  contextTokens: number,
): { messages: Message[]; memories: RecalledMemory[] } => {
  const answer = Math.min(ANSWER_TOKENS, contextTokens * ANSWER_SHARE)
  let left = contextTokens - answer - estimateTokens(system) - toolCount * TOOL_TOKENS
  const spend = (tokens: number) => {
    left = Math.max(0, left - tokens)
  }

  const asked = cutTo(question, Math.floor(left * QUESTION_SHARE))
  spend(estimateMessageTokens({ role: 'user', content: asked }))
  const seen = firstWithin(pictures, left, (part) =>
    estimateMessageTokens({ role: 'user', content: [part] }),
  )
  spend(estimateMessageTokens({ role: 'user', content: seen }))

  const each = Math.floor(left * MEMORY_SHARE * MOST_OF_MEMORIES)
  const shown = memories.map((memory) => {
    const item = memoryItem(memory, timezone)
    return { memory, item: { ...item, text: cutTo(item.text, each) } }
  })
  const kept = firstWithin(shown, left * MEMORY_SHARE, costOf)
  spend(kept.reduce((sum, one) => sum + costOf(one), 0))
  const quoted = share(texts, Math.max(0, left * TEXT_SHARE - texts.length * ITEM_TOKENS))
  spend(quoted.reduce((sum, { text }) => sum + estimateTokens(text) + ITEM_TOKENS, 0))

  const longest = Math.floor(left * MOST_OF_HISTORY)
  const before = history.map((message) => shortened(message, longest))
  const said = firstWithin(before.toReversed(), left, estimateMessageTokens).toReversed()
  const items = [...kept.map(({ item }) => item), ...quoted]
  const text = items.length ? `${dataPart(items, marks)}\n\n${asked}` : asked
  const last: Message = {
    role: 'user',
    content: seen.length ? [{ type: 'text', text }, ...seen] : text,
  }
  return {
    messages: alternating([...said, last]),
    memories: kept.map(({ memory }) => memory),
  }
}

const costOf = ({ item }: { item: DataItem }): number => estimateTokens(item.text) + ITEM_TOKENS

const shortened = (message: Message, tokens: number): Message =>
  typeof message.content === 'string'
    ? { ...message, content: cutTo(message.content, tokens) }
    : message

export const memoryItem = (memory: RecalledMemory, timezone: string): DataItem => ({
  kind: 'memory',
  about: {
    said_by: memory.author,
    of: dayOf(memory, timezone),
    kind: memory.memory_type,
    ...(memory.source.kind === 'answer' && { source: 'an earlier answer' }),
  },
  text: memory.content_text,
})

/**
 * Messages that begin with the person and take turns: many models know no others. What somebody says
 * twice in a row, because nobody answered, is one message.
 */
const alternating = (messages: Message[]): Message[] => {
  const result: Message[] = []
  for (const message of messages.slice(messages.findIndex(({ role }) => role === 'user'))) {
    const before = result.at(-1)
    if (before?.role !== message.role) result.push(message)
    else if (message.role === 'assistant' && before.role === 'assistant')
      result[result.length - 1] = {
        role: 'assistant',
        content: `${before.content}\n\n${message.content}`,
      }
    else
      result[result.length - 1] = {
        role: 'user',
        content: [...partsOf(before.content), ...partsOf(message.content)],
      }
  }
  return result.map(plain)
}

const partsOf = (content: Message['content']): ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Text alone is sent as text: not every server takes parts. */
const plain = (message: Message): Message => {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const { content } = message
  return content.every((part) => part.type === 'text')
    ? { role: 'user', content: content.map(({ text }) => text).join('\n\n') }
    : message
}
