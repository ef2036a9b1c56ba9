import { isSamePlace, isSameStreet } from './places.ts'
import { isFirstNameOf } from './same-names.ts'
import { beginsAlike, isShortFor, type Likeness, words } from './words.ts'

/**
 * Whether two values of a key say the same, as far as both go: "Ada" is Ada Lovelace, "Lisbon" is
 * Lisbon, Portugal, and a birthday is the same with and without its year. A conflict that is none is
 * worse than one that is missed, so what may be the same is.
 */
export const agree = (key: string, one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() ||
  (one.length <= other.length ? isAlike(key)(one, other) : isAlike(key)(other, one))

const isAlike = (key: string): Likeness => {
  switch (key) {
    case 'name':
    case 'relation.husband':
    case 'relation.wife':
      return isSameName
    case 'home':
    case 'hometown':
      return isSamePlace
    case 'address':
      return isSameStreet
    case 'work.employer':
      return isSameCompany
    case 'date.birthday':
    case 'date.anniversary':
      return (short, long) => long.endsWith(short)
    default:
      return hasDetails(key) ? isPart : () => false
  }
}

/** A "senior software engineer" is a software engineer, and who likes dark blue likes blue. */
const hasDetails = (key: string) => /^(?:work[.]title|favourite[.].+)$/.test(key)

const isPart: Likeness = (short, long) => words(short).every((word) => words(long).includes(word))

/** "Alex" is Alexander, but "Ada" is not Adam: so many letters are there, and so many are left out. */
const CUT_OFF = 3
const isShortName = (word: string, name: string) =>
  word.length >= CUT_OFF && name.length >= word.length + CUT_OFF && name.startsWith(word)

const isSameName: Likeness = (short, long) =>
  words(short).every((word) =>
    words(long).some(
      (name) => name === word || isShortName(word, name) || isFirstNameOf(word, name),
    ),
  )

/** What a company is by law does not say which it is. */
const LEGAL_FORM =
  /,? (?:inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|co|company|gmbh|ag|kg|se|sa|srl|bv|nv|ab|oy)\.?$/i

const isSameCompany: Likeness = (short, long) => {
  const [one, other] = [short.replace(LEGAL_FORM, ''), long.replace(LEGAL_FORM, '')]
  const isSame = one.length === other.length && beginsAlike(one, other)
  return isSame || isShortFor(one, other) || isShortFor(other, one)
}
