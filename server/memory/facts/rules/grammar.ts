import { alternatives } from '../../../../shared/text/alternatives.ts'
import { isTown } from './common-nouns.ts'
import { isNotAName, isNotAPerson, isNotAPlace, isRegion } from './words.ts'

/** A capitalized word, as a part of a name. */
const CAP = String.raw`(?!I(?:'|$|[\s,.]))\p{Lu}[\p{L}\p{M}'-]*(?<![-'])`
const WORD_END = String.raw`(?![\p{L}\p{M}\d@])`

/** A person's name: up to four words. */
export const NAME = String.raw`(?:(?:Dr|Mrs?|Ms|Prof)\.? )?${CAP}(?: (?:${CAP}|\p{Lu}\.|van|von|der|de|da|del|bin|ibn|al)){0,3}(?<!(?: van| von| der| de| da| del| bin| ibn| al))${WORD_END}`

/** A town, with a two-letter region or a country. */
export const PLACE = String.raw`(?:the |la |le |el )?(?:St\. )?${CAP}(?: (?:(?:of|de|do|da|del|la|am|upon|on|sur|an der) )?${CAP}){0,3}${WORD_END}(?:, (?:\p{Lu}{2}${WORD_END}|${CAP}(?: ${CAP}){0,2}${WORD_END}))?`

const ORG_WORD = String.raw`(?:\p{Lu}|[a-z]{1,2}\p{Lu}|\d\p{Lu})[\p{L}\p{M}\d&'+-]*(?:\.[a-z]{2,4}(?![a-z]))?`
/** The name of an employer. */
export const ORG = String.raw`(?:the )?(?:St\. |Dr\. )?${ORG_WORD}(?: (?:(?:of|of the|for|de|&) )?${ORG_WORD}){0,5}${WORD_END}`

/** Words up to the next punctuation mark. */
export const PHRASE = String.raw`(?:[^,.;:!?()\u0000–—]|(?<=\b(?:St|Dr|Mrs?|\p{Lu}))\.){1,160}`

/** The end of a clause, or a change of its subject. */
export const CLAUSE_END = String.raw`(?=\s*(?:$|[,.;:!–—]| now(?=$|[,.;:!–—])| and (?:I|i|my|you|we|he|she|they) | but | from | by the way| btw))`

const TIMES = new RegExp(
  `^(?:the )?(?:${alternatives(`
      January | February | March | April | May | June | July | August | September | October
      November | December | Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday
      Christmas | Weihnachten | Noël | Navidad | Easter | Ostern | Pâques | Pascua | Spring | Summer
      Autumn | Winter | God | Heaven | Hell | Hope | Fear | Peace | English | German | French
      Spanish | AM | PM | IT | HR
    `)})$`,
)

/** The place, with the part after the comma only if that is a region or a country. */
export const parsePlace = (text: string): string | undefined => {
  const [town = '', region] = text.replace(/'s$/, '').split(', ')
  const isOdd = (word: string) =>
    isNotAName(word) && /^\p{Lu}\p{Ll}/u.test(word) && !/^(?:New|The)$/.test(word)
  if (TIMES.test(town) || !isTown(town) || isNotAPlace(town) || town.split(' ').some(isOdd))
    return undefined
  return region && (/^\p{Lu}{2}$/u.test(region) || isRegion(region)) ? `${town}, ${region}` : town
}

export const parseOrganization = (text: string): string | undefined =>
  TIMES.test(text) ||
  (isNotAName(text.split(' ')[0] ?? '') &&
    !/^(The|First|New|American|British|European|Swiss) ./i.test(text))
    ? undefined
    : text.replace(/^the /, '').replace(/'s$/, '')

/** The name, or undefined if one of its words is unlikely to be a part of a name. */
export const parseName = (text: string): string | undefined => {
  const name = text.replace(/'s$/, '')
  if (/^(?:Dr|Mrs?|Ms|Prof)$/.test(name)) return undefined
  const parts = name.split(' ')
  return name.length > 1 && !parts.some(isNotAPerson) ? name : undefined
}

/** The name without a title such as "Dr". */
export const withoutTitle = (name: string): string =>
  name.replace(/^(?:Dr|Mrs?|Ms|Prof)\.? (?=\p{L}{2})/u, '')
