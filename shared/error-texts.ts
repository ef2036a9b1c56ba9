/** The texts of a language by the English ones, which may have numbered places for values: "{0} of {1}". */
export type Texts = Readonly<Record<string, string>>

/**
 * Returns the translation of an error message, which is English in the API; undefined if there is none.
 * Values in it that have a translation themselves are translated too.
 */
export const createErrorTranslation = (texts: Texts): ((message: string) => string | undefined) => {
  const exact = new Map(Object.entries(texts))
  const patterns = Object.entries(texts)
    .map(([english, text]) => ({ literals: english.split(/\{\d\}/), text }))
    .filter(({ literals }) => literals.length > 1)
  return (message) => {
    const text = exact.get(message)
    if (text !== undefined) return text
    for (const { literals, text } of patterns) {
      const values = valuesBetween(literals, message)
      if (values)
        return text.replace(/\{(\d)\}/g, (_, place) => {
          const value = values[Number(place)] ?? ''
          return exact.get(value) ?? value
        })
    }
    return undefined
  }
}

/** The values that stand between the literals; undefined if the message is another one. */
const valuesBetween = (
  [start = '', ...literals]: readonly string[],
  message: string,
): string[] | undefined => {
  if (!message.startsWith(start)) return undefined
  const values: string[] = []
  let at = start.length
  for (const [i, literal] of literals.entries()) {
    const isLast = i === literals.length - 1
    const end = isLast ? message.length - literal.length : message.indexOf(literal, at)
    if (end <= at || !message.startsWith(literal, end)) return undefined
    values.push(message.slice(at, end))
    at = end + literal.length
  }
  return values
}
