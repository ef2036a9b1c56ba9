import type { Language } from '../../../shared/languages.ts'
import { type Html, localized } from './html.ts'

/** The region (BCP 47) whose dates and numbers the pages of a language have. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

/** A format for each language, made at its first use: reading a locale takes some milliseconds. */
const formatsOf = (options: Intl.DateTimeFormatOptions) => {
  const formats: Partial<Record<Language, Intl.DateTimeFormat>> = {}
  return (language: Language): Intl.DateTimeFormat => {
    formats[language] ??= new Intl.DateTimeFormat(LOCALES[language], {
      ...options,
      timeZone: 'UTC',
    })
    return formats[language]
  }
}

const days = formatsOf({ dateStyle: 'long' })
const minutes = formatsOf({ dateStyle: 'medium', timeStyle: 'short' })

/** The day of an instant (ISO 8601) on a page: "6 March 2026". */
export const dayOf = (instant: string): Html =>
  localized((language) => days(language).format(new Date(instant)))

/** An instant on a page: "6 Mar 2026, 09:00 UTC". */
export const minuteOf = (instant: string): Html =>
  localized((language) => `${minutes(language).format(new Date(instant))} UTC`)

/** A number on a page, with up to three decimals. */
export const numberOf = (value: number): Html =>
  localized((language) => value.toLocaleString(LOCALES[language]))

/** An amount of US dollars on a page, with cents if there are any: "$12", "12 $". */
export const dollarsOf = (cents: number): Html =>
  localized((language) =>
    (cents / 100).toLocaleString(LOCALES[language], {
      style: 'currency',
      currency: 'USD',
      currencyDisplay: 'narrowSymbol',
      trailingZeroDisplay: 'stripIfInteger',
    }),
  )
