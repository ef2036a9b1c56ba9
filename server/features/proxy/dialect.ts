import { personText } from '../../../shared/assistant-text.ts'
import { fieldsOf, isObject, type JsonObject } from '../../../shared/objects.ts'
import type { Insertion, Span } from './json-text.ts'

/** One message of a request, or another item of its conversation. */
export interface ProxiedMessage {
  /**
   * - `person`: a person's message
   * - `model`: an answer of the model, a call of a tool or its result
   * - `context`: instructions, and what a client adds by itself
   */
  kind: 'person' | 'model' | 'context'
  /** The text that the person wrote; empty for another kind, and for a message with images alone. */
  text: string
  /** All of its text, with what the client added. */
  raw: string
}

/** The end of a response. */
export interface ProxiedAnswer {
  /** The final text of the turn; undefined where the model calls a tool, or was cut off by a limit. */
  text: string | undefined
  /** The id by which a later request can continue the conversation without its messages. */
  id?: string | undefined
}

/** Collects the answer from a response. */
export interface AnswerReader {
  /** Reads the data of one server-sent event. */
  onEvent(data: JsonObject): void
  /** Reads a response that is no stream. */
  onBody(body: JsonObject): void
  /** Undefined until the response is complete. */
  answer(): ProxiedAnswer | undefined
}

/** The conversation of a request that does not repeat its messages. */
export interface Continued {
  response?: string | undefined
  conversation?: string | undefined
}

/** How a protocol of a model writes conversations. */
export interface Dialect {
  /** The member of a request that has the messages. */
  messagesName: 'messages' | 'input'
  messagesOf(body: JsonObject): ProxiedMessage[]
  /** The instructions of the request. */
  systemOf(body: JsonObject): string
  /** The response that the request continues, and the conversation that the provider keeps. */
  continuedBy?(body: JsonObject): Continued
  /** Adds a text directly after a message of a person. `message` is the place of that message. */
  insertAfter(json: string, message: Span, value: unknown, text: string): Insertion[]
  /** Adds a text where the messages are one string. */
  insertAfterOnly?(message: Span, text: string): Insertion[]
  createReader(): AnswerReader
}

/**
 * The longest message that is stored, in characters: more than any model writes. A longer prompt is cut, and a
 * longer answer is not stored.
 */
export const MAX_STORED_CHARACTERS = 4_000_000

export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The texts of a content, which is a string or a list of parts. */
export const textsOf = (content: unknown, types: readonly string[]): string[] => {
  if (typeof content === 'string') return [content]
  return listIn(content).flatMap((part) => {
    const { type, text } = fieldsOf(part)
    return types.includes(textIn(type)) ? [textIn(text)] : []
  })
}

/** A user message. It is a person's if it has text of a person, or an image or file and no tool result. */
export const userMessage = (
  content: unknown,
  textTypes: readonly string[],
  mediaTypes: readonly string[],
): ProxiedMessage => {
  const texts = textsOf(content, textTypes)
  const raw = texts.join('\n')
  const text = texts.map(personText).filter(Boolean).join('\n')
  const hasMedia = listIn(content).some(
    (part) => isObject(part) && mediaTypes.includes(textIn(part.type)),
  )
  return { kind: text || (hasMedia && !raw) ? 'person' : 'context', text, raw }
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
export const storable = (text: string, maxLength: number): string =>
  text.replaceAll('\0', '').slice(0, maxLength).toWellFormed()

export const modelMessage = (raw = ''): ProxiedMessage => ({ kind: 'model', text: '', raw })
export const contextMessage = (raw: string): ProxiedMessage => ({ kind: 'context', text: '', raw })
