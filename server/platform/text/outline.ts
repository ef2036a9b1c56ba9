import { Parser } from 'htmlparser2'
import { budgets } from '../budgets.ts'

/** The result of one pass over a page, which may be large or malformed. */
export interface Outline {
  title: string
  description: string
  /** The visible text in document order, with a line for each block. */
  text: string
  /** The deepest nesting of elements. */
  depth: number
  elements: number
}

const UNSHOWN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object'])
const INLINE = new Set(
  'a abbr b bdi bdo cite code data dfn em font i kbd mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
const VOID = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)
const TITLES = new Set(['og:title', 'twitter:title'])
const DESCRIPTIONS = new Set(['description', 'og:description', 'twitter:description'])

/** Reads a page without building a tree, in time linear in its length. */
export const outlineOf = (html: string): Outline => {
  const texts: string[] = []
  let title = ''
  let metaTitle = ''
  let description = ''
  let elements = 0
  let depth = 0
  let deepest = 0
  let isTitle = false
  /** The depth of the outermost hidden ancestor. */
  let unshown: number | undefined

  const parser = new Parser({
    onopentag(name, attributes) {
      elements += 1
      if (!INLINE.has(name)) texts.push('\n')
      if (name === 'meta') {
        const key = (attributes.property ?? attributes.name ?? '').toLowerCase()
        if (TITLES.has(key)) metaTitle ||= attributes.content ?? ''
        if (DESCRIPTIONS.has(key)) description ||= attributes.content ?? ''
      }
      if (VOID.has(name)) return
      depth += 1
      deepest = Math.max(deepest, depth)
      isTitle = name === 'title' && title === '' && unshown === undefined
      if (unshown === undefined && isUnshown(name, attributes)) unshown = depth
      if (depth > budgets.htmlOutline.depth) parser.pause()
    },
    ontext(text) {
      if (isTitle) title += text
      else if (unshown === undefined) texts.push(text)
    },
    onclosetag(name) {
      if (VOID.has(name)) return
      if (unshown === depth) unshown = undefined
      depth -= 1
      isTitle = false
      if (!INLINE.has(name)) texts.push('\n')
    },
  })
  parser.write(html)
  if (deepest <= budgets.htmlOutline.depth) parser.end()
  return {
    title: collapseWhitespace(metaTitle) || collapseWhitespace(title),
    description: collapseWhitespace(description),
    text: texts
      .join('')
      .split('\n')
      .map(collapseWhitespace)
      .filter((line) => line !== '')
      .join('\n'),
    depth: deepest,
    elements,
  }
}

const isUnshown = (name: string, attributes: Record<string, string>): boolean =>
  UNSHOWN.has(name) ||
  'hidden' in attributes ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '')

export const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ').trim()
