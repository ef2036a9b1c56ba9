import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import Turndown from 'turndown'
import { budgets } from '../budgets.ts'
import { collapseWhitespace, type Outline, outlineOf } from './outline.ts'

interface ParsedPage {
  title: string
  description: string
  /** Markdown without links and images; plain lines if no article was found. */
  text: string
}

/** Extracts the article of a page, without menus, notices and related pages. */
export const readHtml = (html: string): ParsedPage => {
  const outline = outlineOf(html)
  const article = articleOf(html, outline)
  return {
    title: collapseWhitespace(article?.title ?? '') || outline.title,
    description: outline.description,
    text: article?.text || outline.text,
  }
}

const articleOf = (html: string, { depth, elements }: Outline) => {
  const most = budgets.htmlArticle
  // On larger pages the search takes too much time and memory.
  if (depth > most.depth || elements > most.count) return undefined
  try {
    const article = new Readability(parseHTML(html).document).parse()
    if (!article?.content) return undefined
    const { document } = parseHTML(`<!doctype html><html><body>${article.content}</body></html>`)
    return { title: article.title, text: markdown.turndown(document.body).trim() }
  } catch {
    // Readability fails on some malformed trees; the outline still has the lines.
    return undefined
  }
}

const markdown = new Turndown({
  headingStyle: 'atx',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
})
// The Markdown is never rendered, so it needs no escaping.
markdown.escape = (text) => text
markdown.addRule('links', { filter: 'a', replacement: (text) => text })
markdown.addRule('pictures', { filter: ['img', 'picture', 'video'], replacement: () => '' })
markdown.addRule('cells', {
  filter: ['td', 'th'],
  replacement: (text) => ` ${collapseWhitespace(text)} |`,
})
markdown.addRule('rows', {
  filter: 'tr',
  replacement: (text, row) => {
    const isHead = row.firstElementChild?.nodeName === 'TH' && !row.previousElementSibling
    const rule = isHead ? `\n|${' --- |'.repeat(row.childElementCount)}` : ''
    return `\n|${text.trimEnd()}${rule}`
  },
})
