import { randomBytes } from 'node:crypto'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import { dayAt } from '../platform/timezone.ts'

/** A text that is quoted to a model: reference material, not a message of the conversation. */
export interface DataItem {
  kind: 'memory' | 'file' | 'page' | 'note'
  /** Where the text comes from. */
  attributes: Record<string, string | number | null | undefined>
  text: string
}

/** The tags around the quoted data of one prompt. */
export interface DataMarks {
  begin: string
  end: string
}

/** Random for each prompt, so that no quoted text can contain them. */
export const createMarks = (): DataMarks => {
  const name = `data-${randomBytes(8).toString('hex')}`
  return { begin: `<${name}>`, end: `</${name}>` }
}

export const formatData = (items: DataItem[], { begin, end }: DataMarks): string =>
  [begin, ...items.map(formatItem), end].join('\n')

const formatItem = ({ kind, attributes, text }: DataItem): string => {
  const formatted = Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${formatAttribute(String(value))}"`)
  return `<${kind}${formatted.join('')}>\n${escapeMarks(text)}\n</${kind}>`
}

const MAX_ATTRIBUTE_CHARS = 300

const formatAttribute = (text: string): string =>
  escapeMarks(text)
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
    .slice(0, MAX_ATTRIBUTE_CHARS)
    .toWellFormed()

/** The start of a tag that looks like our marks, or like a control token of a chat template. */
const MARKS = [
  /<(?=\s*(?:\/\s*)?(?:data|svc-memory|memory|file|page|note)\b)/gi,
  /<(?=[|｜])/g,
  /<(?=\/?s>|<?\/?SYS>|(?:start|end)_of_turn|bos>|eos>|\/?(?:system|assistant|user|tool_call|tool_response)>)/gi,
]
const INSTRUCTION_MARKS =
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])/g
/** Invisible characters that a model reads: Unicode tags and bidirectional controls. */
const INVISIBLE = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/gu

/** Text in which nothing looks like the marks of a prompt; all other characters are unchanged. */
export const escapeMarks = (text: string): string =>
  MARKS.reduce((escaped, mark) => escaped.replace(mark, '‹'), text)
    .replace(INSTRUCTION_MARKS, '［')
    .replace(INVISIBLE, '')

/** A date without a time is stored as midnight UTC. It is the same date in every time zone. */
const DATE_ONLY = /T00:00:00\.000Z$/

/** The date of a memory in the user's time zone, as `YYYY-MM-DD`. */
export const memoryDay = (
  { occurred_at, created_at }: Pick<RecalledMemory, 'occurred_at' | 'created_at'>,
  timezone: string,
): string =>
  occurred_at && DATE_ONLY.test(occurred_at)
    ? occurred_at.slice(0, 10)
    : dayAt(new Date(occurred_at ?? created_at), timezone)

/** A memory as data of a prompt. */
export const memoryItem = (memory: RecalledMemory, timezone: string): DataItem => ({
  kind: 'memory',
  attributes: {
    said_by: memory.author,
    of: memoryDay(memory, timezone),
    kind: memory.memory_type,
    ...(memory.source.kind === 'answer' && { source: 'an earlier answer' }),
  },
  text: memory.content_text,
})
