import { randomBytes } from 'node:crypto'
import type { RecalledMemory } from '../../shared/contract/recall.ts'
import { trustNote } from '../../shared/origin.ts'
import { escapeMarks } from '../memory/text/marks.ts'

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

/** A memory as data of a prompt. */
export const memoryItem = (memory: RecalledMemory, moment: string): DataItem => ({
  kind: 'memory',
  attributes: {
    said_by: memory.author,
    trust: trustNote(memory.source),
    of: moment,
    kind: memory.memory_type,
    ...(memory.source.kind === 'answer' && { source: 'an earlier answer' }),
  },
  text: memory.content_text,
})
