import { alternatives } from '../../../shared/text/alternatives.ts'
import { isCountry, isRegion } from '../facts/rules/words.ts'
import { isSameTown } from './town-names.ts'

/** Whether two values match. The first is never longer than the second. */
type ValueMatcher = (short: string, long: string) => boolean

/**
 * Whether two values of a key may both be true: "Ada" and "Ada Lovelace", "Lisbon" and "Lisbon,
 * Portugal", a birthday with and without its year. In doubt they may: a false conflict is worse than a
 * missed one.
 */
export const isCompatible = (key: string, one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() ||
  (one.length <= other.length ? matcherFor(key)(one, other) : matcherFor(key)(other, one))

const matcherFor = (key: string): ValueMatcher => {
  switch (key) {
    case 'name':
    case 'relation.husband':
    case 'relation.wife':
      return isSameName
    case 'home':
    case 'hometown':
      return isSameHome
    case 'address':
      return isSameStreet
    case 'work.employer':
      return isSameCompany
    case 'date.birthday':
    case 'date.anniversary':
      return (short, long) => long.endsWith(short)
    default:
      return allowsDetails(key) ? isLessDetailed : () => false
  }
}

const words = (text: string): string[] => text.toLowerCase().split(/[\s,]+/)

const startsWithWords: ValueMatcher = (short, long) =>
  words(short).every((word, index) => words(long)[index] === word)

/** "NYC" is New York City, and "USA" the United States of America: initials, with or without C or A. */
const isAbbreviation: ValueMatcher = (short, long) => {
  const initials = long.match(/(?<![\p{L}\p{M}])\p{Lu}/gu)?.join('') ?? ''
  return initials.length > 1 && [initials, `${initials}A`, `${initials}C`].includes(short)
}

/** A "senior software engineer" is a software engineer; a user who likes dark blue likes blue. */
const allowsDetails = (key: string) => /^(?:work[.]title|favourite[.].+)$/.test(key)

const isLessDetailed: ValueMatcher = (short, long) =>
  words(short).every((word) => words(long).includes(word))

/** "Alex" is short for "Alexander", but "Ada" is not short for "Adam". */
const MIN_LETTERS = 3
const isShortName = (word: string, name: string) =>
  word.length >= MIN_LETTERS && name.length >= word.length + MIN_LETTERS && name.startsWith(word)

const isSameName: ValueMatcher = (short, long) =>
  words(short).every((word) => words(long).some((name) => name === word || isShortName(word, name)))

/** The legal form of a company does not identify it. */
const LEGAL_FORM = new RegExp(
  `,? (?:${alternatives(`
      inc | incorporated | ltd | limited | llc | llp | plc | corp | corporation | co | company
      gmbh | ag | kg | se | sa | srl | bv | nv | ab | oy
    `)})\\.?$`,
  'i',
)

const isSameCompany: ValueMatcher = (short, long) => {
  const [one, other] = [short.replace(LEGAL_FORM, ''), long.replace(LEGAL_FORM, '')]
  const isSame = one.length === other.length && startsWithWords(one, other)
  return isSame || isAbbreviation(one, other) || isAbbreviation(other, one)
}

/**
 * Whether two places may be the same home. A town and a country always may: which town is in which
 * country is not known here.
 */
const isSameHome: ValueMatcher = (short, long) => {
  const [one, other] = [withoutArticle(short), withoutArticle(long)]
  const [town = '', otherTown = ''] = [one, other].map((place) => place.split(', ')[0])
  return (
    startsWithWords(one, other) ||
    isAbbreviation(one, other) ||
    isIn(one, other) ||
    isIn(other, one) ||
    isSameTown(town, otherTown)
  )
}

const withoutArticle = (place: string) => place.replace(/^the /i, '')

/** Countries whose inhabitants also name their state, province or constituent country as home. */
const COUNTRIES_WITH_STATES = new Set([
  'United States',
  'US',
  'USA',
  'America',
  'United Kingdom',
  'UK',
  'Canada',
])
/** Countries and states that share their name with a town. */
const TOWN_NAMESAKES = new Set([
  ...['SG', 'MC', 'LU'].flatMap((code) =>
    ['en', 'de', 'es', 'fr'].map((locale) =>
      new Intl.DisplayNames(locale, { type: 'region' }).of(code),
    ),
  ),
  'New York',
  'Washington',
  'Quebec',
])
const isWide = (place: string) =>
  (isRegion(place) || COUNTRIES_WITH_STATES.has(place)) && !TOWN_NAMESAKES.has(place)

const isIn = (place: string, region: string): boolean => {
  if (!isWide(region)) return false
  const [town = '', own] = place.split(', ')
  // Two letters are the postal code of a state, which may be any region.
  if (own && !/^\p{Lu}{2}$/u.test(own)) return isPartOf(own, region)
  return !isWide(town) || isPartOf(town, region)
}

const isPartOf = (part: string, country: string): boolean =>
  part === country ||
  (COUNTRIES_WITH_STATES.has(country) && !COUNTRIES_WITH_STATES.has(part) && !isCountry(part))

/** "12 Main St" matches "12 Main Street"; house number 1 does not match 12. */
const isSameStreet: ValueMatcher = (short, long) =>
  words(short).every((word, index) => {
    const other = words(long)[index] ?? ''
    return other === word || (!/\d/.test(word) && other.startsWith(word.replace(/\.$/, '')))
  })
