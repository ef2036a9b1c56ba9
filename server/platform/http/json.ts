import type { FieldError } from '../../../shared/errors.ts'
import { budgets } from '../budgets.ts'
import { httpError } from './error.ts'

/** Shorter texts cannot exceed the limits. */
const MIN_CHECKED_CHARACTERS = 64 * 1024

/**
 * `JSON.parse` blocks the event loop. Its time depends on the number of names and values more than on the
 * length.
 * @throws ApiError 422 for malformed JSON, and for more names or values than a body may have.
 */
export const parseJson = (text: string): unknown => {
  const problem = text.length > MIN_CHECKED_CHARACTERS && countProblem(measureJson(text))
  if (problem) throw invalid(problem)
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('JSON decode error')
  }
}

interface JsonMeasure {
  names: number
  values: number
  /** The deepest nesting of brackets. */
  depth: number
}

/** Returns the error message for JSON that would take too long to parse; otherwise undefined. */
export const countProblem = (
  { names, values }: JsonMeasure,
  max: { names: number; values: number } = budgets.requestJson,
): string | undefined => {
  if (names > max.names) return `JSON should have at most ${max.names} names`
  if (values > max.values) return `JSON should have at most ${max.values} values`
  return undefined
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Measures JSON without parsing it. Each name is followed by a colon; each value but the first follows
 * a comma or an opening bracket.
 */
export const measureJson = (text: string): JsonMeasure => {
  const measure: JsonMeasure = { names: 0, values: 1, depth: 0 }
  let open = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === COLON) measure.names++
    else if (code === COMMA) measure.values++
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      measure.values++
      measure.depth = Math.max(measure.depth, ++open)
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open--
  }
  return measure
}

/** Returns the index of the quote that closes the string at `start`. */
const endOfString = (text: string, start: number): number => {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === QUOTE) return i
  }
  return text.length
}

const invalid = (msg: string) => httpError('invalid_json', msg)

/** PostgreSQL cannot store NUL and lone surrogates. Browsers replace them silently. */
const UNSTORABLE = /[\0\p{Surrogate}]/u

interface JsonNode {
  value: unknown
  depth: number
  key: string | number
  parent: JsonNode | undefined
}

/** Builds the path only for the unstorable value, because a body may have half a million values. */
const locOf = (node: JsonNode): (string | number)[] =>
  node.parent ? [...locOf(node.parent), node.key] : []

/** Returns the error of the first text that cannot be stored, or of JSON that is nested too deeply. */
export const findUnstorable = (body: unknown): FieldError | undefined => {
  const stack: JsonNode[] = [{ value: body, depth: 0, key: '', parent: undefined }]
  for (let node = stack.pop(); node; node = stack.pop()) {
    const { value, depth } = node
    // Deeper JSON could exhaust the stack of a recursive parser.
    if (depth > budgets.requestJson.depth)
      return {
        loc: locOf(node).slice(0, 1),
        type: 'json_invalid',
        msg: 'JSON is nested too deeply',
      }
    if (typeof value === 'string' && UNSTORABLE.test(value))
      return {
        loc: locOf(node),
        type: 'string_unicode',
        msg: 'String should be valid text without NUL',
      }
    if (!value || typeof value !== 'object') continue
    if (Array.isArray(value)) {
      for (let key = 0; key < value.length; key++)
        if (mayBeUnstorable(value[key]))
          stack.push({ value: value[key], depth: depth + 1, key, parent: node })
      continue
    }
    for (const key of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[key]
      if (UNSTORABLE.test(key))
        return {
          loc: locOf(node),
          type: 'string_unicode',
          msg: 'Key should be valid text without NUL',
        }
      if (mayBeUnstorable(inner)) stack.push({ value: inner, depth: depth + 1, key, parent: node })
    }
  }
  return undefined
}

const mayBeUnstorable = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
