import type { ConditionOp } from '../../../shared/contract/reflex-conditions.ts'

/** Undefined for a text that is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON, such as a number or a quoted text, or otherwise the text itself. */
const parseScalar = (text: string): unknown => {
  const value = parseJson(text)
  return value === undefined ? text.trim() : value
}

/** The list of `in`: a JSON array, or values separated by commas. */
const parseList = (text: string): unknown[] => {
  const list = parseJson(text)
  if (Array.isArray(list)) return list
  return text
    .split(',')
    .filter((item) => item.trim())
    .map(parseScalar)
}

/** The value of a condition from the text of its field. */
export const parseValue = (op: ConditionOp, text: string): unknown => {
  if (op === 'exists') return text !== 'false'
  return op === 'in' ? parseList(text) : parseScalar(text)
}

const formatScalar = (value: unknown): string =>
  typeof value === 'string' && value !== '' && parseScalar(value) === value
    ? value
    : JSON.stringify(value)

const isPlain = (value: unknown): boolean => !/[,[]/.test(formatScalar(value))

/** The text of the field of a condition; `parseValue` returns the same value for it. */
export const formatValue = (op: ConditionOp, value: unknown): string => {
  if (op === 'exists') return String(value !== false)
  if (value === undefined) return ''
  if (op === 'in' && Array.isArray(value))
    return value.length && value.every(isPlain)
      ? value.map(formatScalar).join(', ')
      : JSON.stringify(value)
  return formatScalar(value)
}
