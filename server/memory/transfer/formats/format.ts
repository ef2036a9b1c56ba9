import { type Input, parseInstant } from '../../../../shared/contract/common.ts'
import type { ImportedMemory } from '../../../../shared/contract/transfer.ts'
import { isObject, type JsonObject } from '../../../../shared/objects.ts'
import { budgets } from '../../../platform/budgets.ts'
import { withoutGiven } from '../../text/given.ts'

/** An unchecked memory of a file. */
export type RawMemory = Input<typeof ImportedMemory>

/** A file format of another product. */
export interface Format {
  /** Detects a record of this format. */
  matches(record: JsonObject): boolean
  /** The memories in a record, in order. */
  read(record: JsonObject): Iterable<unknown>
}

/** The source of an imported memory. */
export const importSource = (product: string, id: unknown) => ({
  kind: 'import',
  ref: typeof id === 'string' && id ? `${product}:${id}`.slice(0, 500) : product,
})

export const objectsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** A string that is not blank. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && /\S/.test(value)

/** @param value ISO 8601, or seconds since the epoch. @returns ISO 8601, or undefined if invalid. */
export const parseForeignInstant = (value: unknown): string | undefined => {
  const date =
    typeof value === 'number'
      ? new Date(value * 1000)
      : isText(value)
        ? parseInstant(value)
        : undefined
  const year = date?.getUTCFullYear() ?? Number.NaN
  return date && year >= 100 && year <= 9999 ? date.toISOString() : undefined
}

/** Makes strings storable in PostgreSQL: removes NUL, replaces lone surrogates. */
export const toStorable = <T>(value: T, depth = 0): T => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  // Validation rejects deeper JSON; the limit bounds the recursion.
  if (depth > budgets.importRecord.depth) return value
  if (Array.isArray(value)) return value.map((each) => toStorable(each, depth + 1)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [toStorable(key), toStorable(each, depth + 1)]),
  ) as T
}

/** Maximal length of a memory, in characters. */
const MAX_CONTENT = 32_000
/** A part is at least this long, unless it is the last. */
const MIN_PART = MAX_CONTENT * 0.75

/** Splits a text that is too long for one memory, between paragraphs, lines or words. */
export const splitContent = (text: string): string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > MAX_CONTENT) {
    const end = splitPoint(rest)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

const splitPoint = (text: string): number => {
  for (const gap of ['\n\n', '\n', ' ']) {
    const end = text.lastIndexOf(gap, MAX_CONTENT)
    if (end >= MIN_PART) return end
  }
  // Not within a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[MAX_CONTENT - 1] ?? '') ? MAX_CONTENT - 1 : MAX_CONTENT
}

/** A message of a conversation with an assistant. */
export interface ImportedMessage {
  author: 'user' | 'assistant'
  text: string
  occurredAt: string | undefined
  source: { kind: string; ref: string }
}

/** One memory per message, or more for a very long one. */
export function* conversationMemories(
  product: string,
  { id, title, startedAt }: { id: string; title: unknown; startedAt: string | undefined },
  messages: Iterable<ImportedMessage>,
): Generator<RawMemory> {
  const thread = toStorable(`${product}:${id}`).slice(0, 500)
  const metadata = typeof title === 'string' && title ? { title: toStorable(title) } : {}
  let position = 0
  for (const { author, text, occurredAt, source } of messages)
    for (const content_text of splitContent(toStorable(withoutGiven(text))))
      yield {
        content_text,
        memory_type: 'episodic',
        thread,
        position: ++position,
        author,
        tags: [product],
        metadata,
        source,
        occurred_at: occurredAt ?? startedAt ?? null,
      }
}
