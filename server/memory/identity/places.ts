import { isCountry, isRegion } from '../facts/rules/index.ts'
import { isTownOf } from './same-names.ts'
import { beginsAlike, isShortFor, type Likeness, words } from './words.ts'

/** "Munich" may be the same home as Germany: which town lies where is not known here. */
export const isSamePlace: Likeness = (short, long) => {
  const [one, other] = [bare(short), bare(long)]
  const [town = '', otherTown = ''] = [one, other].map((place) => place.split(', ')[0])
  return (
    beginsAlike(one, other) ||
    isShortFor(one, other) ||
    isIn(one, other) ||
    isIn(other, one) ||
    isTownOf(town, otherTown)
  )
}

const bare = (place: string) => place.replace(/^the /i, '')

/** Of these people also name the part that they live in. */
const IN_PARTS = new Set([
  'United States',
  'US',
  'USA',
  'America',
  'United Kingdom',
  'UK',
  'Canada',
])
/** Countries and states that share their name with a town. */
const TOWNS = new Set(
  'Singapore,Singapur,Singapour,Monaco,Mónaco,Luxembourg,Luxemburg,Luxemburgo,New York,Washington,Quebec'.split(
    ',',
  ),
)
const isWide = (place: string) => (isRegion(place) || IN_PARTS.has(place)) && !TOWNS.has(place)

const isIn = (place: string, region: string): boolean => {
  if (!isWide(region)) return false
  const [town = '', own] = place.split(', ')
  // Two letters are a state, whose name is not known here.
  if (own && !/^\p{Lu}{2}$/u.test(own)) return isPartOf(own, region)
  return !isWide(town) || isPartOf(town, region)
}

const isPartOf = (part: string, country: string): boolean =>
  part === country || (IN_PARTS.has(country) && !IN_PARTS.has(part) && !isCountry(part))

/** "12 Main St" is 12 Main Street, and number 1 is not number 12. */
export const isSameStreet: Likeness = (short, long) =>
  words(short).every((word, place) => {
    const other = words(long)[place] ?? ''
    return other === word || (!/\d/.test(word) && other.startsWith(word.replace(/\.$/, '')))
  })
