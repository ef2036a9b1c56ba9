/**
 * Splits a text into parts of at most so many characters, of whole paragraphs where these are short
 * enough, otherwise at the ends of words. A longer word is split.
 */
export const splitIntoParts = (text: string, maxCharacters: number): string[] => {
  const parts: string[] = []
  for (const paragraph of text.split(/\n{2,}/).flatMap(splitParagraph(maxCharacters))) {
    const last = parts.at(-1)
    if (last && last.length + paragraph.length + 2 <= maxCharacters)
      parts[parts.length - 1] = `${last}\n\n${paragraph}`
    else parts.push(paragraph)
  }
  return parts
}

const splitParagraph =
  (maxCharacters: number) =>
  (paragraph: string): string[] => {
    const pieces: string[] = []
    let rest = paragraph.trim()
    while (rest.length > maxCharacters) {
      const end = endOfWord(rest, maxCharacters)
      pieces.push(rest.slice(0, end).trimEnd())
      rest = rest.slice(end).trimStart()
    }
    return [...pieces, rest].filter(Boolean)
  }

/** Where to cut: after the last line or word that fits, and never within a surrogate pair. */
const endOfWord = (text: string, max: number): number => {
  const head = text.slice(0, max)
  const space = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '))
  if (space > max / 2) return space
  const isWithinPair = /[\uD800-\uDBFF]$/.test(head)
  return isWithinPair ? max - 1 : max
}
