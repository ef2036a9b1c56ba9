import { isObject, type JsonObject } from '../../../shared/objects.ts'

/** A JSON object; undefined for any other text. */
export const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The value of a signal from the text of a field: JSON, or otherwise the text itself. */
export const parseSignalValue = (type: string, text: string): unknown => {
  if (type === 'text' || type === 'presence') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
