import { parseInstant } from '../../../platform/http/validate.ts'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectsOf = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

/** A text with something in it. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && /\S/.test(value)

/** The instant that other programs write: ISO 8601, or seconds since 1970. */
export const instantOf = (value: unknown): string | undefined => {
  const date =
    typeof value === 'number'
      ? new Date(value * 1000)
      : isText(value)
        ? parseInstant(value)
        : undefined
  const year = date?.getUTCFullYear() ?? Number.NaN
  return date && year >= 1 && year <= 9999 ? date.toISOString() : undefined
}

/** Deeper JSON than this is refused later on, and would exhaust what looks into it. */
const MAX_DEPTH = 64

/** What other programs keep need not be storable text: NUL goes, half characters are replaced. */
export const storable = <T>(value: T, depth = 0): T => {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed() as T
  if (depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1)) as T
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [storable(key), storable(each, depth + 1)]),
  ) as T
}

/** The most that one memory holds. */
const MAX_CONTENT = 32_000
/** A part is not made shorter than this for the sake of a good place to cut. */
const SHORTEST_PART = MAX_CONTENT * 0.75

/** Cuts a text that is too long for one memory: between paragraphs, else lines, else words. */
export const inParts = (text: string): string[] => {
  const parts: string[] = []
  let rest = text.trim()
  while (rest.length > MAX_CONTENT) {
    const end = cutOf(rest)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  return rest ? [...parts, rest] : parts
}

const cutOf = (text: string): number => {
  for (const gap of ['\n\n', '\n', ' ']) {
    const end = text.lastIndexOf(gap, MAX_CONTENT)
    if (end >= SHORTEST_PART) return end
  }
  // Not between the two halves of a character.
  return /[\uD800-\uDBFF]/.test(text[MAX_CONTENT - 1] ?? '') ? MAX_CONTENT - 1 : MAX_CONTENT
}
