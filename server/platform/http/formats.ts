import { LANGUAGES, type Language } from '../../../shared/languages.ts'
import { recordOf } from '../../../shared/objects.ts'
import { type Html, localized } from './html.ts'

/** The region (BCP 47) whose dates and numbers the pages of a language have. */
const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' }

const DAYS = recordOf(
  LANGUAGES,
  (language) => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'long', timeZone: 'UTC' }),
)
const MINUTES = recordOf(
  LANGUAGES,
  (language) =>
    new Intl.DateTimeFormat(LOCALES[language], {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'UTC',
    }),
)

/** The day of an instant (ISO 8601) on a page: "6 March 2026". */
export const dayOf = (instant: string): Html =>
  localized((language) => DAYS[language].format(new Date(instant)))

/** An instant on a page: "6 Mar 2026, 09:00 UTC". */
export const minuteOf = (instant: string): Html =>
  localized((language) => `${MINUTES[language].format(new Date(instant))} UTC`)

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
