import {
  characterCount,
  isUuid,
  MAX_TEXT_LENGTH,
  parseInstant,
} from '../../shared/contract/common.ts'
import { MEMORY_TYPES, type Memory, type MemoryType } from '../../shared/contract/memories.ts'
import { uniqueLabels } from '../../shared/labels.ts'
import { type Fields, hashOf } from './fields.ts'
import {
  editYaml,
  join,
  type MarkdownParts,
  type Properties,
  readYaml,
  split,
} from './front-matter.ts'

/** A file as a memory. */
export interface MemoryFile {
  /** The id in the front matter, in lower case. */
  id: string | undefined
  content: string
  fields: Fields
}

/** Why a file cannot be a memory. The id counts nevertheless: the file is there. */
export interface UnreadableFile {
  id: string | undefined
  problem: string
}

type Values = Record<string, unknown>

const MAX_TAGS = 64
const MAX_TAG_LENGTH = 100
const MAX_THREAD_LENGTH = 500

/** The largest file that can be a memory, in bytes: each character has 4 at most, and the front matter 256 KiB. */
export const MAX_FILE_BYTES = 4 * MAX_TEXT_LENGTH + 2 ** 18

/**
 * Reads the text of a file. One blank line after the front matter and one line end after the content are
 * format, so that each content can be written. The lines of a file with CRLF end with LF in the memory.
 */
export const readDocument = (text: string): MemoryFile | UnreadableFile => {
  if (text.includes('\0')) return { id: undefined, problem: 'is not a text' }
  const parts = split(text)
  const read = parts.yaml === undefined ? undefined : readYaml(parts.yaml)
  if (read && 'problem' in read)
    return {
      id: idOf(/^id: *"?([0-9a-fA-F-]{36})"? *$/m.exec(parts.yaml ?? '')?.[1]),
      problem: `has front matter that is not YAML (${read.problem})`,
    }
  const values = read?.values
  const id = idOf(values?.[idKey(values)])
  const hasFrontMatter = values !== undefined
  const content = hasFrontMatter ? contentOf(parts) : contentOf(wholeOf(parts, text))
  const properties = readProperties(values ?? {})
  const problem = problemOf(content, properties)
  if (problem) return { id, problem }
  return { id, content, fields: { content: hashOf(content), ...properties } }
}

/** The file without front matter: what is between two thematic breaks is content. */
const wholeOf = (parts: MarkdownParts, text: string): MarkdownParts => ({
  ...parts,
  yaml: undefined,
  body: parts.hasByteOrderMark ? text.slice(1) : text,
})

const contentOf = ({ lineEnd, yaml, body }: MarkdownParts): string => {
  const lines = lineEnd === '\r\n' ? body.replaceAll('\r\n', '\n') : body
  const start = yaml !== undefined && lines.startsWith('\n') ? 1 : 0
  return lines.slice(start, lines.endsWith('\n') && lines.length > start ? -1 : undefined)
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && isUuid(value) ? value.toLowerCase() : undefined

/** The property for the id. `id` may be the user's own, such as the number of a note. */
const idKey = (values: Values = {}): string =>
  values.id === undefined || values.id === null || idOf(values.id) ? 'id' : 'memory_id'

const readProperties = (values: Record<string, unknown>) => ({
  tags: readTags(values.tags),
  type: MEMORY_TYPES.find((type): type is MemoryType => type === values.type),
  thread: readText(values.thread),
  happened: readInstant(values.happened),
})

/** Obsidian also accepts one text with commas. */
const readTags = (value: unknown): string[] => {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value]
  const tags = list.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each)] : [],
  )
  return uniqueLabels(tags)
}

const readText = (value: unknown): string | undefined => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return text === '' ? undefined : text
}

const readInstant = (value: unknown): string | undefined =>
  typeof value === 'string' ? parseInstant(value)?.toISOString() : undefined

const problemOf = (
  content: string,
  { tags, thread }: ReturnType<typeof readProperties>,
): string | undefined => {
  if (!/\S/.test(content)) return 'is empty'
  if (content.length > MAX_TEXT_LENGTH && characterCount(content) > MAX_TEXT_LENGTH)
    return `has more than ${MAX_TEXT_LENGTH.toLocaleString('en')} characters`
  if (tags.length > MAX_TAGS) return `has more than ${MAX_TAGS} tags`
  if (tags.some((tag) => characterCount(tag) > MAX_TAG_LENGTH))
    return `has a tag of more than ${MAX_TAG_LENGTH} characters`
  if (thread && characterCount(thread) > MAX_THREAD_LENGTH)
    return `has a thread of more than ${MAX_THREAD_LENGTH} characters`
  return undefined
}

const propertiesOf = (memory: Memory): Properties => ({
  id: memory.memory_id,
  type: memory.memory_type,
  tags: memory.tags,
  thread: memory.thread ?? undefined,
  happened: memory.occurred_at ?? undefined,
  created: memory.created_at,
  valid_from: memory.valid_from ?? undefined,
  valid_to: memory.valid_to ?? undefined,
  source: memory.source.kind,
})

/** The text of a new file for a memory. */
export const newDocument = (memory: Memory): string =>
  join({
    hasByteOrderMark: false,
    lineEnd: '\n',
    yaml: editYaml('', { ...propertiesOf(memory) }),
    body: `\n${memory.content_text}\n`,
  })

/** A file with the text and the properties of another version. Properties of the user stay. */
export const replaceDocument = (text: string, memory: Memory): string => {
  const parts = split(text)
  const values = frontMatterOf(parts)
  // A content with CR can be written exactly only with LF at the ends of lines.
  const lineEnd = memory.content_text.includes('\r') ? '\n' : parts.lineEnd
  return join({
    hasByteOrderMark: parts.hasByteOrderMark,
    lineEnd,
    yaml: editYaml(values ? (parts.yaml ?? '') : '', {
      ...changedFields(values ?? {}, memory),
      ...changedInfo(values ?? {}, memory),
    }),
    body: `\n${memory.content_text}\n`.replaceAll('\n', lineEnd),
  })
}

/** A file that is now another memory with the same text: its id, and the other times that it shows. */
export const relabelDocument = (text: string, memory: Memory): string => {
  const parts = split(text)
  const values = frontMatterOf(parts)
  if (values)
    return join({ ...parts, yaml: editYaml(parts.yaml ?? '', changedInfo(values, memory)) })
  const whole = wholeOf(parts, text)
  return join({
    ...whole,
    yaml: editYaml('', { id: memory.memory_id }),
    body: whole.lineEnd + whole.body,
  })
}

/** The front matter, if it is such. */
const frontMatterOf = ({ yaml }: MarkdownParts): Values | undefined => {
  const read = yaml === undefined ? undefined : readYaml(yaml)
  return read && 'values' in read ? read.values : undefined
}

/** The fields of the memory that the file does not have. A property that svc would not have written stays. */
const changedFields = (values: Values, memory: Memory): Values => {
  const file = readProperties(values)
  const { type, tags, thread, happened } = propertiesOf(memory)
  const isOther = (name: string, read: unknown, wanted: unknown) =>
    read !== wanted && (read !== undefined || !(name in values))
  return {
    ...((file.tags.length !== tags?.length || file.tags.some((tag, i) => tag !== tags[i])) && {
      tags,
    }),
    ...(isOther('type', file.type, type) && { type }),
    ...(isOther('thread', file.thread, thread) && { thread }),
    ...(isOther('happened', file.happened, happened) && { happened }),
  }
}

/** The id, and of what the file only shows, those that svc wrote before. */
const changedInfo = (values: Values, memory: Memory): Values => {
  const { id, created, valid_from, valid_to, source } = propertiesOf(memory)
  const isOfSvc = isWritten(values.created)
  const times = Object.entries({ created, valid_from, valid_to }).filter(([name]) =>
    name in values ? isWritten(values[name]) : isOfSvc,
  )
  return {
    [idKey(values)]: id,
    ...Object.fromEntries(times),
    ...(isOfSvc &&
      typeof values.source === 'string' &&
      /^[a-z_]+$/.test(values.source) && { source }),
  }
}

/** Whether svc wrote a time: it has milliseconds. */
const isWritten = (value: unknown): boolean =>
  typeof value === 'string' && parseInstant(value)?.toISOString() === value
