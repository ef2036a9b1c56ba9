import type { MessageContext } from '../../shared/contract/chat-messages.ts'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import { inTimeOrder, momentsOf } from '../memory/recall/moments.ts'
import { estimateMessageTokens, estimateTokens } from '../platform/models/prompt.ts'
import type { ContentPart, Message } from '../platform/models/types.ts'
import { type DataItem, type DataMarks, formatData, memoryItem } from './quoted-data.ts'

/** The part of the window that is reserved for the completion: the smaller of the two. */
const COMPLETION_TOKENS = 4_096
const COMPLETION_SHARE = 0.25
/** Estimate of a tool's description, on the high side. */
const TOOL_TOKENS = 200
/** Maximum shares of what the system prompt and the parts before leave. */
const MESSAGE_SHARE = 0.5
const MEMORY_SHARE = 0.3
const TEXT_SHARE = 0.5
/** Maximum share of one memory, or one message, of the tokens of all memories or of the history. */
const SINGLE_MEMORY_SHARE = 0.25
const SINGLE_MESSAGE_SHARE = 0.5
/** Estimate of an item's tags and attributes. */
const ITEM_TOKENS = 60

/** The size of a prompt and of its parts, in estimated tokens. */
export type PromptContext = Omit<MessageContext, 'instructions' | 'tools' | 'memories'>

interface PromptParts {
  system: string
  /** The user's message. */
  message: string
  images: ContentPart[]
  /** Best first. */
  memories: RecalledMemory[]
  /** Files, pages and notes. */
  texts: DataItem[]
  /** Oldest first. */
  history: Message[]
  toolCount: number
  /** The user's time zone. */
  timezone: string
}

/**
 * Fits the messages of a prompt into the context window. Quoted data comes before the message; the
 * newest part of the history is kept.
 * @returns the messages, the memories that fitted, and how many tokens each part took.
 */
export const fitMessages = (
  { system, message, images, memories, texts, history, toolCount, timezone }: PromptParts,
  marks: DataMarks,
  contextTokens: number,
): { messages: Message[]; memories: RecalledMemory[]; context: PromptContext } => {
  const reserved = Math.min(COMPLETION_TOKENS, contextTokens * COMPLETION_SHARE)
  let left = contextTokens - reserved - estimateTokens(system) - toolCount * TOOL_TOKENS
  const spend = (tokens: number) => {
    left = Math.max(0, left - tokens)
  }

  const fittedMessage = truncateToTokens(message, Math.floor(left * MESSAGE_SHARE))
  spend(estimateMessageTokens({ role: 'user', content: fittedMessage }))
  const fittedImages = takeWithinTokens(images, left, (part) =>
    estimateMessageTokens({ role: 'user', content: [part] }),
  )
  spend(estimateMessageTokens({ role: 'user', content: fittedImages }))

  const memoryTokens = Math.floor(left * MEMORY_SHARE * SINGLE_MEMORY_SHARE)
  const momentOf = momentsOf(memories, timezone)
  const candidates = memories.map((memory) => {
    const item = memoryItem(memory, momentOf(memory))
    return { memory, item: { ...item, text: truncateToTokens(item.text, memoryTokens) } }
  })
  const fittedMemories = takeWithinTokens(candidates, left * MEMORY_SHARE, ({ item }) =>
    itemTokens(item),
  )
  const memoryItems = inTimeOrder(fittedMemories, ({ memory }) => memory, timezone).map(
    ({ item }) => item,
  )
  spend(totalTokens(memoryItems))
  const textItems = shareTokens(texts, Math.max(0, left * TEXT_SHARE - texts.length * ITEM_TOKENS))
  spend(totalTokens(textItems))

  const messageTokens = Math.floor(left * SINGLE_MESSAGE_SHARE)
  const fittedHistory = takeWithinTokens(
    history.map((message) => truncateMessage(message, messageTokens)).toReversed(),
    left,
    estimateMessageTokens,
  ).toReversed()
  const items = [...memoryItems, ...textItems]
  const text = items.length ? `${formatData(items, marks)}\n\n${fittedMessage}` : fittedMessage
  const last: Message = {
    role: 'user',
    content: fittedImages.length ? [{ type: 'text', text }, ...fittedImages] : text,
  }
  return {
    messages: alternateRoles([...fittedHistory, last]),
    memories: fittedMemories.map(({ memory }) => memory),
    context: {
      window: contextTokens,
      tokens: {
        instructions: estimateTokens(system),
        tools: toolCount * TOOL_TOKENS,
        message: estimateMessageTokens({ role: 'user', content: fittedMessage }),
        images: fittedImages.length
          ? estimateMessageTokens({ role: 'user', content: fittedImages })
          : 0,
        memories: totalTokens(memoryItems),
        attachments: totalTokens(textItems),
        history: fittedHistory.reduce((sum, each) => sum + estimateMessageTokens(each), 0),
      },
      memories_found: memories.length,
      memories_given: fittedMemories.length,
      messages_given: fittedHistory.length,
      messages_left_out: history.length - fittedHistory.length,
    },
  }
}

const itemTokens = ({ text }: DataItem): number => estimateTokens(text) + ITEM_TOKENS

const totalTokens = (items: DataItem[]): number =>
  items.reduce((sum, item) => sum + itemTokens(item), 0)

const truncateMessage = (message: Message, tokens: number): Message =>
  typeof message.content === 'string'
    ? { ...message, content: truncateToTokens(message.content, tokens) }
    : message

/**
 * Starts with a message of the user and alternates the roles, because many models require it.
 * Consecutive messages of one role, such as an unanswered message and the next one, are joined.
 */
const alternateRoles = (messages: Message[]): Message[] => {
  const result: Message[] = []
  for (const message of messages.slice(messages.findIndex(({ role }) => role === 'user'))) {
    const previous = result.at(-1)
    if (previous?.role !== message.role) result.push(message)
    else if (message.role === 'assistant' && previous.role === 'assistant')
      result[result.length - 1] = {
        role: 'assistant',
        content: `${previous.content}\n\n${message.content}`,
      }
    else
      result[result.length - 1] = {
        role: 'user',
        content: [...contentParts(previous.content), ...contentParts(message.content)],
      }
  }
  return result.map(joinTextParts)
}

const contentParts = (content: Message['content']): ContentPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** Sends text without images as a string: not every server accepts parts. */
const joinTextParts = (message: Message): Message => {
  if (message.role !== 'user' || typeof message.content === 'string') return message
  const { content } = message
  return content.every((part) => part.type === 'text')
    ? { role: 'user', content: content.map(({ text }) => text).join('\n\n') }
    : message
}

/** The ratio that `estimateTokens` uses. */
const BYTES_PER_TOKEN = 3
const CUT = '\n[… cut …]'

/** The beginning of a text, of at most about so many tokens, marked where it was cut. */
export const truncateToTokens = (text: string, tokens: number): string => {
  if (estimateTokens(text) <= tokens) return text
  const bytes = Math.max(0, tokens * BYTES_PER_TOKEN - Buffer.byteLength(CUT))
  // The cut may fall within a character, which decodes to U+FFFD.
  return `${Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '')}${CUT}`
}

/** Truncates texts to so many tokens together: short ones stay whole, long ones share the rest. */
export const shareTokens = <T extends { text: string }>(items: T[], tokens: number): T[] => {
  let left = tokens
  let open = items.length
  const truncated = new Map<T, string>()
  for (const item of items.toSorted((a, b) => a.text.length - b.text.length)) {
    const text = truncateToTokens(item.text, Math.floor(left / open))
    left -= estimateTokens(text)
    open -= 1
    truncated.set(item, text)
  }
  return items.map((item) => ({ ...item, text: truncated.get(item) ?? '' }))
}

/** The first items that have at most so many tokens together. */
const takeWithinTokens = <T>(items: T[], tokens: number, tokensOf: (item: T) => number): T[] => {
  let left = tokens
  const end = items.findIndex((item) => {
    left -= tokensOf(item)
    return left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}
