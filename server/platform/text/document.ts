import { createHash } from 'node:crypto'
import { decodeText } from './charset.ts'
import { readHtml } from './html.ts'
import { oneLine } from './outline.ts'
import { readPdf } from './pdf.ts'

/** A file or page as it was sent. */
export interface Source {
  bytes: Uint8Array
  contentType: string | undefined
  /** What it is called when it does not say itself. */
  name: string
}

export interface Document {
  title: string
  /** At most MAX_TEXT_CHARS; what is longer is cut off. */
  text: string
  excerpt: string
  wordCount: number
  /** SHA-256 of the text, in hex. */
  hash: string
}

/** Something that has no text to be read; the message may be shown to whoever sent it. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

const MAX_TEXT_CHARS = 200_000
const MAX_TITLE_CHARS = 300
const EXCERPT_CHARS = 300

/**
 * Reads HTML, PDF, and any kind of plain text.
 * @throws Unreadable for anything else, and where there is no text.
 */
export const readDocument = async (source: Source): Promise<Document> => {
  const { title, description, text: whole } = await read(source)
  const text = cut(tidy(whole), MAX_TEXT_CHARS)
  if (text === '') throw new Unreadable('There is no text to read')
  return {
    title: cut(oneLine(tidy(title)) || oneLine(tidy(source.name)), MAX_TITLE_CHARS),
    text,
    excerpt: excerptOf(
      oneLine(tidy(description)) || oneLine(cut(text, 5 * EXCERPT_CHARS).replace(/^#+ /gm, '')),
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

const read = async ({ bytes, contentType }: Source): Promise<Parts> => {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-') {
    const pdf = await readPdf(bytes).catch(() => {
      throw new Unreadable('The PDF cannot be read')
    })
    return { description: '', ...pdf }
  }
  if (type !== '' && !IS_TEXT.test(type)) throw notText()
  const text = decodeText(bytes, contentType)
  const isHtml =
    type === '' ? /^\s*<(!doctype html|html|head|body)\b/i.test(text) : IS_HTML.test(type)
  // What has NULs in it is no text, whatever it says that it is.
  if (!isHtml && text.includes('\0')) throw notText()
  return isHtml ? readHtml(text) : { title: headingOf(text), description: '', text }
}

const IS_HTML = /^(text\/html|application\/xhtml\+xml)$/
const IS_TEXT =
  /^(text\/[\w.+-]+|application\/(json|xml|yaml|x-yaml|toml|x-ndjson|[\w.-]+\+(json|xml)))$/

const notText = () => new Unreadable('It is neither a page nor text nor a PDF')

/** The first heading of Markdown. */
const headingOf = (text: string): string => /^#{1,3} +(.+)$/m.exec(text.slice(0, 2_000))?.[1] ?? ''

/** Line ends of one kind, no control characters, and never more than one empty line. */
const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b-\x1f\x7f\ufeff]/g, '')
    .replace(/[ \t\u00a0]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Cuts without leaving half a character. */
const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** Cut where a word ends. */
const excerptOf = (line: string): string =>
  line.length <= EXCERPT_CHARS
    ? line
    : `${cut(line, EXCERPT_CHARS - 1).replace(/(?<=.{200})\s\S*$/, '')}…`

/** Words as Unicode tells them apart (UAX 29), also where a language writes no spaces. */
const countWords = (text: string): number => {
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike) words += 1
  return words
}
