import { createErrorTranslation, type Texts } from '../../../../shared/error-texts.ts'
import { ERROR_TEXTS_DE } from '../../../../shared/error-texts-de.ts'
import type { Language } from '../../../../shared/languages.ts'
import { PAGE_TEXTS_DE } from './de.ts'

interface Catalog {
  /** By the English text with its places. */
  pages: ReadonlyMap<string, string>
  error: (message: string) => string | undefined
}

const catalog = (pages: Texts, errors: Texts): Catalog => ({
  pages: new Map(Object.entries(pages)),
  error: createErrorTranslation(errors),
})

/** English is the language of the source. */
const CATALOGS: Record<Exclude<Language, 'en'>, Catalog> = {
  de: catalog(PAGE_TEXTS_DE, ERROR_TEXTS_DE),
}

/** The place of a value in a text of a catalog. */
export const placeOf = (index: number): string => `{${index}}`

/** The text of a page in a language. */
export const textIn = (language: Language, english: string): string =>
  language === 'en' ? english : (CATALOGS[language].pages.get(english) ?? english)

/** The message of an error in a language. */
export const errorIn = (language: Language, message: string): string =>
  language === 'en' ? message : (CATALOGS[language].error(message) ?? message)
