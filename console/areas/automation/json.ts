/** A JSON object; undefined for any other text. */
export const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return value as Record<string, unknown>
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
