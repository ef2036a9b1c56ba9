import { isAbbreviation, startsWithWords, type ValueMatcher, words } from './matching.ts'
import { isSameHome, isSameStreet } from './places.ts'

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
const LEGAL_FORM =
  /,? (?:inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|co|company|gmbh|ag|kg|se|sa|srl|bv|nv|ab|oy)\.?$/i

const isSameCompany: ValueMatcher = (short, long) => {
  const [one, other] = [short.replace(LEGAL_FORM, ''), long.replace(LEGAL_FORM, '')]
  const isSame = one.length === other.length && startsWithWords(one, other)
  return isSame || isAbbreviation(one, other) || isAbbreviation(other, one)
}
