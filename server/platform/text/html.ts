import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import Turndown from 'turndown'
import { type Outline, oneLine, outlineOf } from './outline.ts'

export interface Page {
  title: string
  description: string
  /** Markdown without links and pictures; plain lines where no article could be told. */
  text: string
}

/** A page beyond this takes time and memory out of proportion to be searched for its article. */
const MAX_DEPTH = 300
const MAX_ELEMENTS = 100_000

/** Finds what a page is about and leaves out what stands around it: menus, notices, related pages. */
export const readHtml = (html: string): Page => {
  const outline = outlineOf(html)
  const article = articleOf(html, outline)
  return {
    title: oneLine(article?.title ?? '') || outline.title,
    description: outline.description,
    text: article?.text || outline.text,
  }
}

const articleOf = (html: string, { depth, elements }: Outline) => {
  if (depth > MAX_DEPTH || elements > MAX_ELEMENTS) return undefined
  try {
    const article = new Readability(parseHTML(html).document).parse()
    if (!article?.content) return undefined
    const { document } = parseHTML(`<!doctype html><html><body>${article.content}</body></html>`)
    return { title: article.title, text: markdown.turndown(document.body).trim() }
  } catch {
    // Where malformed markup makes a tree that it cannot search, the lines are still there.
    return undefined
  }
}

const markdown = new Turndown({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
})
// What is read is not rendered again, so nothing in it needs an escape.
markdown.escape = (text) => text
markdown.addRule('links', { filter: 'a', replacement: (text) => text })
markdown.addRule('pictures', { filter: ['img', 'picture', 'video'], replacement: () => '' })
markdown.addRule('cells', {
  filter: ['td', 'th'],
  replacement: (text) => ` ${oneLine(text)} |`,
})
markdown.addRule('rows', {
  filter: 'tr',
  replacement: (text, row) => {
    const isHead = row.firstElementChild?.nodeName === 'TH' && !row.previousElementSibling
    const rule = isHead ? `\n|${' --- |'.repeat(row.childElementCount)}` : ''
    return `\n|${text.trimEnd()}${rule}`
  },
})
