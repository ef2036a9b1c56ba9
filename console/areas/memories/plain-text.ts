/** Lines and marks that plain text does not have by chance; a single list item or star is none. */
const MARKS = [
  /^#{1,6} \S/m,
  /^```/m,
  /^\|.+\|$/m,
  /^(?:[-*+]|\d{1,3}[.)]) \S.*\n(?:[-*+]|\d{1,3}[.)]) \S/m,
  /\*\*\S[^*\n]{0,200}\*\*/,
  /\[[^\]\n]{1,200}\]\(https?:/,
]

/** Whether a text is written in Markdown. Other texts keep their lines as they are. */
export const isMarkdown = (text: string): boolean => MARKS.some((mark) => mark.test(text))

/** The beginning of a text in one paragraph, without the marks of Markdown. */
export const plainExcerpt = (text: string, characters: number): string => {
  const start = text.slice(0, characters).toWellFormed()
  if (!isMarkdown(start)) return start
  return start
    .replaceAll(/^(?:#{1,6}|[-*+]|>) /gm, '')
    .replaceAll(/^```\w*$/gm, '')
    .replaceAll(/\[([^\]\n]{1,200})\]\([^)\n]{0,500}\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .trim()
}
