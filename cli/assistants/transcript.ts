import { readFileSync, statSync } from 'node:fs'
import { personText } from '../../shared/assistant-text.ts'
import { fieldsOf, isObject, type JsonObject } from '../../shared/objects.ts'

/** A longer transcript is not read: an assistant waits for the hook. */
const MAX_TRANSCRIPT_BYTES = 256 * 1024 ** 2

/** The parts of a transcript that a hook needs. */
export interface Transcript {
  /** The number of prompts of the person. */
  prompts: number
  /** The last prompt, if no text of the assistant follows it. */
  open: string | undefined
  /** The last text of the assistant after the last prompt. */
  answer: string | undefined
}

/** Reads the transcript that an assistant keeps. @returns undefined if there is none. */
export const readTranscript = (path: string | undefined): Transcript | undefined => {
  if (path === undefined) return undefined
  try {
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > MAX_TRANSCRIPT_BYTES) return undefined
    return summarize(recordsOf(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}

const summarize = (records: Iterable<unknown>): Transcript => {
  const found: Transcript = { prompts: 0, open: undefined, answer: undefined }
  for (const record of records) {
    const message = messageOf(record)
    if (message?.role === 'assistant') {
      found.answer = message.text
      found.open = undefined
    } else if (message) {
      found.prompts += 1
      found.open = message.text
      found.answer = undefined
    }
  }
  return found
}

/** The records of a file with one JSON value, or with one in each line. */
function* recordsOf(text: string): Generator<unknown> {
  const whole = parse(text)
  if (isObject(whole) && Array.isArray(whole.messages)) {
    yield* whole.messages
    return
  }
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    // Only lines of messages are parsed: those of tools can be long.
    const line = text.slice(start, end)
    if (/"(?:user|assistant|gemini|model|user\.message|assistant\.message)"/.test(line)) {
      const record = parse(line)
      if (record !== undefined) yield record
    }
    start = end + 1
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = {
  user: 'user',
  'user.message': 'user',
  assistant: 'assistant',
  'assistant.message': 'assistant',
  gemini: 'assistant',
  model: 'assistant',
}

/** The message in a record; undefined for the output of a tool, and for what an assistant adds by itself. */
const messageOf = (record: unknown): { role: 'user' | 'assistant'; text: string } | undefined => {
  const outer = fieldsOf(record)
  if (outer.isMeta === true || outer.isSidechain === true || outer.isCompactSummary === true)
    return undefined
  const inner = [outer.payload, outer.message, outer.data].find(isObject) ?? outer
  const role = ROLES[`${inner.role ?? outer.role ?? outer.type}`]
  if (!role) return undefined
  const content = textOf(inner)
  const text = role === 'user' ? personText(content) : content
  return !/\S/.test(text) ? undefined : { role, text }
}

const textOf = ({ content, text, parts }: JsonObject): string => {
  const value = content ?? text ?? parts
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return ''
  return value
    .map((part: unknown) => fieldsOf(part))
    .filter(({ type }) => type === undefined || /^(?:text|input_text|output_text)$/.test(`${type}`))
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('')
}
