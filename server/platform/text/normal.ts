/** NFKC may expand one character to eighteen. */
const MAX_CHARACTERS = 64_000

/**
 * Normalizes a text to NFKC and cuts it at twice the longest text of the API, which bounds the work of
 * everything that reads it.
 */
export const normalForm = (text: string): string => {
  const normal = text.normalize('NFKC')
  return normal.length > MAX_CHARACTERS ? withoutHalf(normal.slice(0, MAX_CHARACTERS)) : normal
}

/** Removes half of a surrogate pair, which PostgreSQL does not store. */
const withoutHalf = (text: string): string => text.replace(/[\ud800-\udbff]$/, '')
