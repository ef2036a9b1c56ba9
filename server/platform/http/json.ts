import { budgets } from '../budgets.ts'
import { httpError } from './errors.ts'

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
  most: { names: number; values: number } = budgets.requestJson,
): string | undefined => {
  if (names > most.names) return `JSON should have at most ${most.names} names`
  if (values > most.values) return `JSON should have at most ${most.values} values`
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
