import { language } from '../language.ts'
import { locale } from './region.ts'

/** A number in the form of the reader's region. */
export const number = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(locale, options)

/** The forms of a noun by the plural categories of the Unicode CLDR; `other` for those without an own one. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

const rules = new Intl.PluralRules(language)

/** The form of a noun or sentence for a number. */
export const plural = (value: number, forms: Forms): string =>
  forms[rules.select(value)] ?? forms.other

/** A number with its noun. */
export const count = (value: number, forms: Forms): string =>
  `${number(value)} ${plural(value, forms)}`

/** @param digits the most after the decimal point. */
export const dollars = (usd: number, digits = 2): string =>
  number(usd, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(usd) ? 0 : 2,
    maximumFractionDigits: digits,
  })
