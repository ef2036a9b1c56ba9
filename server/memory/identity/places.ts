import { isCountry, isRegion } from '../facts/rules/index.ts'
import { isAbbreviation, startsWithWords, type ValueMatcher, words } from './matching.ts'
import { isSameTown } from './town-names.ts'

/**
 * Whether two places may be the same home. A town and a country always may: which town is in which
 * country is not known here.
 */
export const isSameHome: ValueMatcher = (short, long) => {
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
export const isSameStreet: ValueMatcher = (short, long) =>
  words(short).every((word, index) => {
    const other = words(long)[index] ?? ''
    return other === word || (!/\d/.test(word) && other.startsWith(word.replace(/\.$/, '')))
  })
