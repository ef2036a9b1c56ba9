import type { Language } from '../../../shared/languages.ts'
import { placeOf, textIn } from './texts/catalogs.ts'

/** For whom a page is written. */
export interface PageReader {
  language: Language
  /** The path of the server's address: links to its own pages begin with it. */
  basePath: string
}

/** HTML, whose source depends on its reader. Any other value in a page is escaped. */
export class Html {
  constructor(readonly sourceFor: (reader: PageReader) => string) {}
}

export type Piece = Html | string | number | false | null | undefined | Piece[]

/**
 * Builds HTML and escapes all values except `Html`. Links, forms and scripts with a path from the root are those of
 * the server, so the path is put below the server's own.
 */
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html((reader) =>
    parts.reduce((all, part, i) => {
      const piece = pieces[i - 1]
      const isPath = typeof piece === 'string' && /^\/(?!\/)/.test(piece) && LINK.test(all)
      return `${all}${isPath ? reader.basePath : ''}${sourceOf(piece, reader)}${placed(part, reader)}`
    }, ''),
  )

/** The end of a source before the value of an attribute that leads to a URL. */
const LINK = /\b(?:href|src|action|formaction)="$/

const placed = (part: string, { basePath }: PageReader): string =>
  basePath === ''
    ? part
    : part.replace(/\b((?:href|src|action|formaction)=")(?=\/(?!\/))/g, `$1${basePath}`)

/** A source that is the same in all languages. */
export const rawHtml = (source: string): Html => new Html(() => source)

/** A text in the language of the reader, such as a number in its form. */
export const localized = (textOf: (language: Language) => string): Html =>
  new Html(({ language }) => escapeHtml(textOf(language)))

/** A text of the catalog that stands elsewhere, such as the label of a row. */
export const translated = (english: string): Html =>
  localized((language) => textIn(language, english))

/**
 * A text that users read, in their language: t`Signed in as ${email}.` The catalog of a language has it as
 * "Signed in as {0}." Markup within a text is a piece. A text that the catalog does not have stays English.
 */
export const t = (parts: TemplateStringsArray, ...pieces: Piece[]): Html => {
  const english = parts.reduce((all, part, i) => `${all}${placeOf(i - 1)}${part}`)
  return new Html((reader) =>
    textIn(reader.language, english)
      .split(PLACE)
      .map((part, i) => (i % 2 === 0 ? escapeHtml(part) : sourceOf(pieces[Number(part)], reader)))
      .join(''),
  )
}

/** Captures the number of a place, so that `split` has the numbers at odd indexes. */
const PLACE = /\{(\d)\}/

const sourceOf = (piece: Piece, reader: PageReader): string => {
  if (piece instanceof Html) return piece.sourceFor(reader)
  if (Array.isArray(piece)) return piece.map((each) => sourceOf(each, reader)).join('')
  if (piece === false || piece === null || piece === undefined) return ''
  return escapeHtml(String(piece))
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
