import type { Language } from '../../../shared/languages.ts'
import { placeOf, textIn } from './texts/catalogs.ts'

/** HTML, whose source depends on the language of its reader. Any other value in a page is escaped. */
export class Html {
  constructor(readonly sourceIn: (language: Language) => string) {}
}

export type Piece = Html | string | number | false | null | undefined | Piece[]

/** Builds HTML and escapes all values except `Html`. */
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html((language) =>
    parts.reduce((all, part, i) => all + sourceOf(pieces[i - 1], language) + part),
  )

/** A source that is the same in all languages. */
export const rawHtml = (source: string): Html => new Html(() => source)

/** A text in the language of the reader, such as a number in its form. */
export const localized = (textOf: (language: Language) => string): Html =>
  new Html((language) => escapeHtml(textOf(language)))

/** A text of the catalog that stands elsewhere, such as the label of a row. */
export const translated = (english: string): Html =>
  localized((language) => textIn(language, english))

/**
 * A text that users read, in their language: t`Signed in as ${email}.` The catalog of a language has it as
 * "Signed in as {0}." Markup within a text is a piece. A text that the catalog does not have stays English.
 */
export const t = (parts: TemplateStringsArray, ...pieces: Piece[]): Html => {
  const english = parts.reduce((all, part, i) => `${all}${placeOf(i - 1)}${part}`)
  return new Html((language) =>
    textIn(language, english)
      .split(PLACE)
      .map((part, i) => (i % 2 === 0 ? escapeHtml(part) : sourceOf(pieces[Number(part)], language)))
      .join(''),
  )
}

/** Captures the number of a place, so that `split` has the numbers at odd indexes. */
const PLACE = /\{(\d)\}/

const sourceOf = (piece: Piece, language: Language): string => {
  if (piece instanceof Html) return piece.sourceIn(language)
  if (Array.isArray(piece)) return piece.map((each) => sourceOf(each, language)).join('')
  if (piece === false || piece === null || piece === undefined) return ''
  return escapeHtml(String(piece))
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
