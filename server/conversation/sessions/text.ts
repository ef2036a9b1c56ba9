const TITLE_CHARS = 80
const PREVIEW_CHARS = 160

/** What a session is called after its first message; null when that says nothing in words. */
export const titleOf = (content: string): string | null => shorten(content, TITLE_CHARS) || null

/** A message in one line, as lists show it. */
export const previewOf = (content: string): string | null => shorten(content, PREVIEW_CHARS) || null

/** One line of at most so many characters, cut where a word ends if there is such a place near. */
const shorten = (text: string, chars: number): string => {
  const line = text
    .slice(0, chars * 8)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= chars) return line
  const cut = line.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')
  const atWord = cut.replace(/\s\S*$/, '')
  return `${atWord.length > chars / 2 ? atWord : cut}…`
}
