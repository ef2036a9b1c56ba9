import { isDenied, isNobody, isNoPlace, isRegion } from './words.ts'

/** A word with a capital: part of a name. */
const CAP = String.raw`(?!I(?:'|$|[\s,.]))\p{Lu}[\p{L}\p{M}'-]*(?<![-'])`
const WORD_END = String.raw`(?![\p{L}\p{M}\d@])`

/** What somebody is called: up to four words. */
export const NAME = String.raw`(?:(?:Dr|Mrs?|Ms|Prof)\.? )?${CAP}(?: (?:${CAP}|\p{Lu}\.|van|von|der|de|da|del|bin|ibn|al)){0,3}(?<!(?: van| von| der| de| da| del| bin| ibn| al))${WORD_END}`

/** Where somebody lives: a town, with its region in two letters or its country. */
export const PLACE = String.raw`(?:the |la |le |el )?(?:St\. )?${CAP}(?: (?:(?:of|de|do|da|del|la|am|upon|on|sur|an der) )?${CAP}){0,3}${WORD_END}(?:, (?:\p{Lu}{2}${WORD_END}|${CAP}(?: ${CAP}){0,2}${WORD_END}))?`

const ORG_WORD = String.raw`(?:\p{Lu}|[a-z]{1,2}\p{Lu}|\d\p{Lu})[\p{L}\p{M}\d&'+-]*(?:\.[a-z]{2,4}(?![a-z]))?`
/** What somebody works for, by its name. */
export const ORG = String.raw`(?:the )?(?:St\. |Dr\. )?${ORG_WORD}(?: (?:(?:of|of the|for|de|&) )?${ORG_WORD}){0,5}${WORD_END}`

/** Words up to the next mark: what a statement is about is cut out of them. */
export const REST = String.raw`(?:[^,.;:!?()\u0000–—]|(?<=\b(?:St|Dr|Mrs?|\p{Lu}))\.){1,160}`

/** Where a clause ends or goes on about something else. */
export const END = String.raw`(?=\s*(?:$|[,.;:!–—]| now(?=$|[,.;:!–—])| and (?:I|i|my|you|we|he|she|they) | but | from | by the way| btw))`

const TIMES =
  /^(?:the )?(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|Spring|Summer|Autumn|Winter|God|Heaven|Hell|Hope|Fear|Peace|English|German|French|Spanish|AM|PM|IT|HR)$/

/** The place without what follows it after a comma, unless that is where it lies. */
export const placeOf = (text: string): string | undefined => {
  const [town = '', region] = text.replace(/'s$/, '').split(', ')
  const isOdd = (word: string) =>
    isDenied(word) && /^\p{Lu}\p{Ll}/u.test(word) && !/^(?:New|The)$/.test(word)
  if (TIMES.test(town) || isNoPlace(town) || town.split(' ').some(isOdd)) return undefined
  return region && (/^\p{Lu}{2}$/u.test(region) || isRegion(region)) ? `${town}, ${region}` : town
}

export const orgOf = (text: string): string | undefined =>
  TIMES.test(text) ||
  (isDenied(text.split(' ')[0] ?? '') &&
    !/^(The|First|New|American|British|European|Swiss) ./i.test(text))
    ? undefined
    : text.replace(/^the /, '').replace(/'s$/, '')

/** A person's name as it is, unless it is a word that only stands where a name would. */
export const nameOf = (text: string): string | undefined => {
  const name = text.replace(/'s$/, '')
  if (/^(?:Dr|Mrs?|Ms|Prof)$/.test(name)) return undefined
  const parts = name.split(' ')
  return name.length > 1 && !parts.some(isNobody) ? name : undefined
}

/** The name without the form of address before it. */
export const withoutTitle = (name: string): string =>
  name.replace(/^(?:Dr|Mrs?|Ms|Prof)\.? (?=\p{L}{2})/u, '')
