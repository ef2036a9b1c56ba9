import { randomBytes } from 'node:crypto'

/** Text that a model is shown, and that nobody in the conversation says. */
export interface DataItem {
  kind: 'memory' | 'file' | 'page' | 'note'
  /** Where it is from. */
  about: Record<string, string | number | null | undefined>
  text: string
}

/** What a data part begins and ends with. */
export interface DataMarks {
  begin: string
  end: string
}

/** Marks of one prompt: no text that was written before can hold them. */
export const createMarks = (): DataMarks => {
  const name = `data-${randomBytes(8).toString('hex')}`
  return { begin: `<${name}>`, end: `</${name}>` }
}

/** The data part of a prompt: all that is quoted, and nothing else. */
export const dataPart = (items: DataItem[], { begin, end }: DataMarks): string =>
  [begin, ...items.map(quoted), end].join('\n')

const quoted = ({ kind, about, text }: DataItem): string => {
  const attributes = Object.entries(about)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${attribute(String(value))}"`)
  return `<${kind}${attributes.join('')}>\n${harmless(text)}\n</${kind}>`
}

const MAX_ATTRIBUTE_CHARS = 300

const attribute = (text: string): string =>
  harmless(text)
    .replace(/\s+/g, ' ')
    .replaceAll('"', "'")
    .slice(0, MAX_ATTRIBUTE_CHARS)
    .toWellFormed()

/** What looks like our marks, or like those that servers of models put between messages. */
const MARKS = [
  /<(?=\s*\/?\s*(?:data|memory|file|page|note)\b)/gi,
  /<(?=[|｜])/g,
  /<(?=\/?s>|<?\/?SYS>|(?:start|end)_of_turn|bos>|eos>|\/?(?:system|assistant|user|tool_call|tool_response)>)/gi,
]
const INSTRUCTION_MARKS =
  /\[(?=\/?(?:INST|SYSTEM_PROMPT|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\])/g
/** Characters that no reader sees, and a model does: tags, and those that turn the direction of text. */
const UNSEEN = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069]/gu

/** Text that cannot pass for the marks of a prompt. All else stays as it is. */
export const harmless = (text: string): string =>
  MARKS.reduce((safe, mark) => safe.replace(mark, '‹'), text)
    .replace(INSTRUCTION_MARKS, '［')
    .replace(UNSEEN, '')
