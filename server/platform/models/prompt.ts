import type { TSchema } from '@sinclair/typebox'
import type { jsonSchema, ModelMessage, ToolSet } from 'ai'
import { budgets } from '../budgets.ts'
import { readAs } from './schema.ts'
import type { ContentPart, Message, ModelRequest, ModelTool } from './types.ts'

/** A request, with the JSON Schema of the output if it has one. */
export type ModelPrompt = Omit<ModelRequest, 'provider' | 'local' | 'maxOutputTokens'> & {
  json?: TSchema
  /** Null: no limit, because the provider refuses it. */
  maxOutputTokens?: number | null
}

const UNSEEN = '[a picture that this model cannot see]'

/** Converts messages to the SDK's type. */
export const toModelMessages = (messages: Message[]): ModelMessage[] =>
  messages.map((message) =>
    message.role === 'assistant' || typeof message.content === 'string'
      ? (message as ModelMessage)
      : { role: 'user', content: message.content.map(toPart) },
  )

const toPart = (part: ContentPart) =>
  part.type === 'text' ? part : { ...part, type: 'file' as const }

/**
 * Converts tools to the SDK's type, for one answer. The input of each call is converted to the tool's
 * schema and validated.
 */
export const toToolSet = (tools: ModelTool[], schemaOf: typeof jsonSchema): ToolSet => {
  let calls = 0
  const countCall = () => {
    calls += 1
    if (calls > budgets.modelToolCalls.count)
      throw new Error('There were too many tool calls. Answer now.')
  }
  return Object.fromEntries(tools.map((tool) => [tool.name, toTool(tool, schemaOf, countCall)]))
}

const toTool = (
  { description, input, run }: ModelTool,
  schemaOf: typeof jsonSchema,
  countCall: () => void,
) => ({
  description,
  inputSchema: schemaOf<unknown>(input, {
    validate: (value) => {
      const read = readAs(input, value)
      return read.ok
        ? { success: true, value: read.value }
        : { success: false, error: new Error(read.complaint) }
    },
  }),
  async execute(value: unknown, { abortSignal }: { abortSignal?: AbortSignal }) {
    countCall()
    return run(value, abortSignal ?? new AbortController().signal)
  },
})

/**
 * Removes one feature that the server or model may not support, which is not known beforehand: the
 * limit of tokens if the refusal names it; otherwise first the JSON Schema, then tools, then images.
 * @returns undefined when no feature is left.
 */
export const plainer = (
  prompt: ModelPrompt,
  { isTokenLimitRefused }: { isTokenLimitRefused?: boolean | undefined },
): ModelPrompt | undefined => {
  if (isTokenLimitRefused && prompt.maxOutputTokens !== null)
    return { ...prompt, maxOutputTokens: null }
  const { json, tools, messages, ...rest } = prompt
  if (json) return { ...rest, messages, ...(tools && { tools }) }
  if (tools?.length) return { ...rest, messages }
  return messages.some(hasImage) ? { ...rest, messages: messages.map(withoutImages) } : undefined
}

const hasImage = ({ content }: Message): boolean =>
  typeof content !== 'string' && content.some(({ type }) => type === 'image')

const withoutImages = (message: Message): Message =>
  typeof message.content === 'string'
    ? message
    : {
        role: 'user',
        content: message.content.map((part) =>
          part.type === 'image' ? { type: 'text', text: UNSEEN } : part,
        ),
      }

/**
 * With o200k_base and cl100k_base, English and code have 3.5 to 4.7 bytes per token, JSON 2.5, other
 * languages 2 to 5.8. The value rather overestimates the number of tokens.
 */
export const BYTES_PER_TOKEN = 3
/** Identifiers, times and punctuation: JSON of memories has 2.6 bytes per token with o200k_base, and more. */
const JSON_BYTES_PER_TOKEN = 2
/** A large image in tiles of 512 pixels, as OpenAI counts them. */
const TOKENS_PER_IMAGE = 1_105
/** The role and the delimiters of a message. */
const TOKENS_PER_MESSAGE = 4

/** Estimates the number of tokens of a text, for any model. */
export const estimateTokens = (text: string): number =>
  Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN)

/** Estimates the number of tokens of a value as JSON, for any model. */
export const estimateJsonTokens = (value: unknown): number =>
  Math.ceil(Buffer.byteLength(JSON.stringify(value)) / JSON_BYTES_PER_TOKEN)

/** Estimates the number of tokens of a message within a prompt. */
export const estimateMessageTokens = ({ content }: Message): number => {
  if (typeof content === 'string') return TOKENS_PER_MESSAGE + estimateTokens(content)
  return content.reduce(
    (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : TOKENS_PER_IMAGE),
    TOKENS_PER_MESSAGE,
  )
}

/** Estimates the number of tokens of a prompt. */
export const estimatePromptTokens = ({
  system,
  messages,
}: {
  system: string
  messages: Message[]
}): number =>
  messages.reduce((sum, message) => sum + estimateMessageTokens(message), estimateTokens(system))
