import { type Html, html } from '../../platform/http/page.ts'

const FENCE = /^ {0,3}(`{3,}|~{3,})/

interface Block {
  lines: string[]
  /** The fence that it is between, for code. */
  fence: string | undefined
}

/**
 * The text of a message for a page: paragraphs as they were written, and code between its fences as
 * code. All else of Markdown reads well as it stands.
 */
export const readable = (text: string): Html[] =>
  blocksOf(text).flatMap(({ lines, fence }) => {
    if (fence !== undefined) return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`
    const paragraphs = lines.join('\n').split(/\n(?:[ \t]*\n)+/)
    return paragraphs
      .map(trimmed)
      .filter((paragraph) => paragraph !== '')
      .map((paragraph) => html`<p>${paragraph}</p>`)
  })

/** The end is not found by a pattern, which would try each of many spaces anew. */
const trimmed = (paragraph: string): string => paragraph.replace(/^\n+/, '').trimEnd()

/** Code that nobody closed goes on to the end, as Markdown has it. */
const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = [{ lines: [], fence: undefined }]
  for (const line of text.split(/\r\n?|\n/)) {
    const { lines, fence } = blocks.at(-1) as Block
    const [, marks] = FENCE.exec(line) ?? []
    const begins = fence === undefined && marks !== undefined
    const ends = fence !== undefined && marks?.startsWith(fence) && line.trim() === marks
    if (begins) blocks.push({ lines: [], fence: marks })
    else if (ends) blocks.push({ lines: [], fence: undefined })
    else lines.push(line)
  }
  return blocks
}
