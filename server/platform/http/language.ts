import { LANGUAGE_COOKIE, LANGUAGES, type Language, languageIn } from '../../../shared/languages.ts'

const [DEFAULT] = LANGUAGES
const COOKIE = new RegExp(`(?:^|; ?)${LANGUAGE_COOKIE}=([a-z]{2})(?:;|$)`)
/** Browsers send a few; more are not read. */
const MAX_LENGTH = 200

/** The languages of an `Accept-Language` header (RFC 9110, section 12.5.4), preferred ones first. */
const acceptedLanguages = (header: string): string[] =>
  header
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { language: tag.split('-')[0]?.toLowerCase() ?? '', weight: Number(weight ?? 1) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ language }) => language)

/** The language of a page: the chosen one of the browser's user, or the preferred one that exists. */
export const languageOf = (headers: Headers): Language =>
  languageIn(COOKIE.exec(headers.get('cookie') ?? '')?.[1]) ??
  acceptedLanguages(headers.get('accept-language') ?? '')
    .map(languageIn)
    .find((language) => language !== undefined) ??
  DEFAULT
