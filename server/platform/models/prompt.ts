import type { TSchema } from '@sinclair/typebox'
import type { jsonSchema, ModelMessage, ToolSet } from 'ai'
import { readAs } from './schema.ts'
import type { ContentPart, Message, ModelRequest, ModelTool } from './types.ts'

/** A request, with the JSON Schema of the output if it has one. */
export type Prompt = Omit<ModelRequest, 'provider' | 'local'> & { json?: TSchema }

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

/** Converts tools to the SDK's type. The input of each call is converted to the tool's schema and validated. */
export const toToolSet = (tools: ModelTool[], schemaOf: typeof jsonSchema): ToolSet =>
  Object.fromEntries(tools.map((tool) => [tool.name, toTool(tool, schemaOf)]))

const toTool = ({ description, input, run }: ModelTool, schemaOf: typeof jsonSchema) => ({
  description,
  inputSchema: schemaOf<unknown>(input, {
    validate: (value) => {
      const read = readAs(input, value)
      return read.ok
        ? { success: true, value: read.value }
        : { success: false, error: new Error(read.complaint) }
    },
  }),
  execute: (value: unknown, { abortSignal }: { abortSignal?: AbortSignal }) =>
    run(value, abortSignal ?? new AbortController().signal),
})

/**
 * Removes one feature that the server or model may not support, which is not known beforehand: first
 * the JSON Schema, then tools, then images.
 * @returns undefined when no feature is left.
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
