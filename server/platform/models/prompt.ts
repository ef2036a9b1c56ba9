import type { TSchema } from '@sinclair/typebox'
import type { jsonSchema, ModelMessage, ToolSet } from 'ai'
import { readAs } from './schema.ts'
import type { ContentPart, Message, ModelRequest, ModelTool } from './types.ts'

/** A request, and the shape that its answer is to have. */
export type Prompt = Omit<ModelRequest, 'provider' | 'local'> & { json?: TSchema }

const UNSEEN = '[a picture that this model cannot see]'

/** What the SDK calls messages. */
export const toModelMessages = (messages: Message[]): ModelMessage[] =>
  messages.map((message) =>
    message.role === 'assistant' || typeof message.content === 'string'
      ? (message as ModelMessage)
      : { role: 'user', content: message.content.map(toPart) },
  )

const toPart = (part: ContentPart) =>
  part.type === 'text' ? part : { ...part, type: 'file' as const }

/** What the SDK calls tools; what the model sends them is read as their schema first. */
export const toToolSet = (tools: ModelTool[], schemaOf: typeof jsonSchema): ToolSet =>
  Object.fromEntries(tools.map((tool) => [tool.name, toTool(tool, schemaOf)]))

const toTool = ({ description, input, run }: ModelTool, schemaOf: typeof jsonSchema) => ({
  description,
  inputSchema: schemaOf<unknown>(input, {
    validate: (written) => {
      const read = readAs(input, written)
      return read.ok
        ? { success: true, value: read.value }
        : { success: false, error: new Error(read.complaint) }
    },
  }),
  execute: (value: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
    run(value, abortSignal ?? new AbortController().signal),
})

/**
 * The same prompt with less to object to: not every server takes a shape, not every model tools or
 * pictures, and none says so beforehand.
 * @returns undefined when nothing can be left out.
 */
export const plainer = ({ json, tools, messages, ...rest }: Prompt): Prompt | undefined => {
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
