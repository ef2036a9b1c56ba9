import { MAX_TEXT_LENGTH, parseInstant } from '../../../../shared/contract/common.ts'
import { budgets } from '../../../platform/budgets.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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
  return date && year >= 1 && year <= 9999 ? date.toISOString() : undefined
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

/** A part is at least this long, unless it is the last. */
const MIN_PART = MAX_TEXT_LENGTH * 0.75

/** Splits a text that is too long for one memory, between paragraphs, lines or words. */
export const splitContent = (text: string): string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > MAX_TEXT_LENGTH) {
    const end = splitPoint(rest)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

const splitPoint = (text: string): number => {
  for (const gap of ['\n\n', '\n', ' ']) {
    const end = text.lastIndexOf(gap, MAX_TEXT_LENGTH)
    if (end >= MIN_PART) return end
  }
  // Not within a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[MAX_TEXT_LENGTH - 1] ?? '')
    ? MAX_TEXT_LENGTH - 1
    : MAX_TEXT_LENGTH
}
