/** Code, closed or not yet: its signs are no formulas. */
const CODE = /(```[\s\S]*?(?:```|$)|`[^`\n]*`)/
/** Pandoc's rule (extension tex_math_dollars): no space inside beside the signs, and no digit after them. */
const IN_DOLLARS = /(?<![\\$])\$(?![\s$])([^$\n]+)(?<![\s\\])\$(?![\d$])/g

/** Replaces the formulas between two signs, in the time that the length of the text needs. */
const between = (
  text: string,
  [open, close]: readonly [string, string],
  write: (formula: string) => string,
): string => {
  let result = ''
  let at = 0
  for (;;) {
    const start = text.indexOf(open, at)
    const end = start < 0 ? -1 : text.indexOf(close, start + open.length)
    if (end < 0) return result + text.slice(at)
    result += text.slice(at, start) + write(text.slice(start + open.length, end).trim())
    at = end + close.length
  }
}

/**
 * Writes the formulas of a Markdown text in one form, between two dollar signs on each side: models write them
 * between one, or in `\(…\)` and `\[…\]`. Prices stay as they are.
 */
export const withFormulas = (text: string): string =>
  text
    .split(CODE)
    .map((part, i) => {
      if (i % 2) return part
      const dollars = part.replaceAll(IN_DOLLARS, (_, formula: string) => `$$${formula}$$`)
      const inline = between(dollars, ['\\(', '\\)'], (formula) => `$$${formula}$$`)
      return between(inline, ['\\[', '\\]'], (formula) => `\n\n$$\n${formula}\n$$\n\n`)
    })
    .join('')
