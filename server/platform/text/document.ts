import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import sniffEncoding from 'html-encoding-sniffer'
import { budgets } from '../budgets.ts'
import { collapseWhitespace } from './outline.ts'
import { type Document, type DocumentSource, Unreadable } from './types.ts'

const MAX_TEXT_CHARS = budgets.documentText.characters
const MAX_TITLE_CHARS = 300
const EXCERPT_CHARS = 300
const MIN_EXCERPT_CHARS = 200

/**
 * Reads HTML, PDF and plain text formats.
 * @throws Unreadable for other formats, and for documents without text.
 */
export const readDocument = async (source: DocumentSource): Promise<Document> => {
  const { title, description, text: whole } = await read(source)
  const text = cut(tidy(whole), MAX_TEXT_CHARS)
  if (text === '') throw new Unreadable('There is no text to read')
  return {
    title: cut(
      collapseWhitespace(tidy(title)) || collapseWhitespace(tidy(source.name)),
      MAX_TITLE_CHARS,
    ),
    text,
    excerpt: excerptOf(
      collapseWhitespace(tidy(description)) ||
        collapseWhitespace(cut(text, 5 * EXCERPT_CHARS).replace(/^#+ /gm, '')),
    ),
    wordCount: countWords(text),
    hash: createHash('sha256').update(text).digest('hex'),
  }
}

interface Parts {
  title: string
  description: string
  text: string
}

/** Loads the parsers of HTML and PDF on first use, because they are large. */
const read = async ({ bytes, contentType }: DocumentSource): Promise<Parts> => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-') {
    const { readPdf } = await import('./pdf.ts')
    const pdf = await readPdf(bytes, MAX_TEXT_CHARS).catch((error) => {
      if (error instanceof RangeError) throw error
      throw new Unreadable('The PDF cannot be read')
    })
    return { description: '', ...pdf }
  }
  if (type !== '' && !IS_TEXT.test(type)) throw notText()
  const text = decodeText(bytes, contentType)
  const isHtml =
    type === '' ? /^\s*<(!doctype html|html|head|body)\b/i.test(text) : IS_HTML.test(type)
  // A file with NUL characters is binary, even if its content type is text.
  if (!isHtml && text.includes('\0')) throw notText()
  if (!isHtml) return { title: headingOf(text), description: '', text }
  const { readHtml } = await import('./html.ts')
  return readHtml(text)
}

const IS_HTML = /^(text\/html|application\/xhtml\+xml)$/
const IS_TEXT =
  /^(text\/[\w.+-]+|application\/(json|xml|yaml|x-yaml|toml|x-ndjson|[\w.-]+\+(json|xml)))$/

const notText = () => new Unreadable('It is neither a page nor text nor a PDF')

/** The first heading of Markdown. */
const headingOf = (text: string): string => /^#{1,3} +(.+)$/m.exec(text.slice(0, 2_000))?.[1] ?? ''

/** Normalizes line ends, and removes control characters and repeated empty lines. */
const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f\ufeff]/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Cuts without splitting a surrogate pair. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** Cuts at the end of a word, unless the result would be too short. */
const excerptOf = (line: string): string => {
  if (line.length <= EXCERPT_CHARS) return line
  const start = cut(line, EXCERPT_CHARS - 1)
  const space = start.lastIndexOf(' ')
  return `${space >= MIN_EXCERPT_CHARS ? start.slice(0, space) : start}…`
}

/** Counts words by UAX 29, which also covers languages without spaces. */
const countWords = (text: string): number => {
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike) words += 1
  return words
}

/**
 * Decodes text like a browser: by the byte order mark, the charset of the Content-Type or the `<meta>`
 * element (HTML Standard, "determining the character encoding"), otherwise as UTF-8 or Windows-1252.
 */
const decodeText = (bytes: Uint8Array, contentType = ''): string => {
  const declared = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  const encoding = sniffEncoding(bytes, {
    ...(declared && { transportLayerEncodingLabel: declared }),
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  })
  try {
    return new TextDecoder(encoding as Bun.Encoding).decode(bytes)
  } catch {
    // A few encoding labels, such as `replacement`, have no decoder.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
