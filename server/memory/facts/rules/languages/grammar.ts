import { alternatives } from '../../../../../shared/text/alternatives.ts'
import type { PartialFact, Speaker } from '../clause.ts'
import { isAllergen, isPersonName } from '../common-nouns.ts'
import type { DateLanguage } from '../dates.ts'
import { slug } from '../fact.ts'
import { NAME, ORG, PLACE, parseName, parseOrganization, parsePlace } from '../grammar.ts'
import { yearly } from '../occasions.ts'

/** A pattern at the start of a clause. Its group `value` is read as facts. */
export interface Form {
  pattern: RegExp
  read(value: string, speaker: Speaker): PartialFact[]
}

export interface Grammar {
  /** The language of dates and reminders; left out where these are not read. */
  language?: DateLanguage
  /** A sentence without a match is in another language. */
  speaks: RegExp
  /** Nothing is read from a sentence with a match. */
  doubt: RegExp
  /** Where a new clause may begin. */
  joint: RegExp
  /** Words before the first clause that do not change its meaning. */
  lead: RegExp
  /** "I don't like X", as the first clause of a sentence. */
  disliked?: RegExp
  forms: Form[]
}

export const form = (pattern: string, read: Form['read']): Form => ({
  // Reads at most 400 characters: a sentence.
  pattern: new RegExp(`^${pattern}`, 'u'),
  read,
})

const CLAUSE_STOP = `(?=$|[,.;!]| (?:${alternatives(`
    und | y | et | aber | pero | mais | weil | porque | parce | mit | con | avec | seit | desde
    depuis | als | como | comme
  `)}) )`
export const OBJECT = String.raw`(?<value>[\p{L}\p{M}'-]+(?: [\p{L}\p{M}'-]+){0,3}?)${CLAUSE_STOP}`
export const JOB = String.raw`(?<value>\p{Ll}[\p{L}-]+)${CLAUSE_STOP}`
export const PERSON = `(?<value>${NAME})${CLAUSE_STOP}`
export const HOME = `(?<value>${PLACE})`
export const EMPLOYER = `(?<value>${ORG})`

/** A name in Latin letters within a text without spaces between words. */
export const LATIN_NAME = String.raw`\p{Lu}[\p{Script=Latin}\d&.' -]{0,40}?`

export const asName: Form['read'] = (text) => {
  const value = parseName(text)
  return value && isPersonName(value) ? [{ kind: 'name', key: 'name', value }] : []
}

export const asHome: Form['read'] = (text) => {
  const value = parsePlace(text)
  return value ? [{ kind: 'home', key: 'home', value }] : []
}

export const asEmployer: Form['read'] = (text) => {
  const value = parseOrganization(text)
  return value ? [{ kind: 'work', key: 'work.employer', value }] : []
}

const MAX_TITLE_WORDS = 4
export const asTitle: Form['read'] = (text) => {
  const value = text.trim()
  return value.split(' ').length <= MAX_TITLE_WORDS
    ? [{ kind: 'work', key: 'work.title', value }]
    : []
}

const MAX_OBJECT_WORDS = 3
/** Pronouns and the like, which name nothing without the text around them. */
const VAGUE = new RegExp(
  `^(?:${alternatives(`
      es | das | dies | dich | dir | sie | ihn | wie | was | wenn | dass | alles | nichts | mich
      euch | uns | lo | la que | que | eso | esto | tu | tus | te | todo | nada | cuando | como | ça
      cela | ce | cette | te | ton | ta | tes | vous | votre | vos | tout | rien | quand | que | qui
      bien | beaucoup | mucho | mucha | sehr | mein | meine | meinen | mi | mis | mon | ma | mes
      dein | deine | deinen | diese | diesen | dieses | este | esta | estos | estas | aussi | auch
      también | el | la | los | las | le | l' | les | der | die | das | den
    `)})\\b`,
  'i',
)

export const preference = (polarity: 'like' | 'dislike', value: string): PartialFact => ({
  kind: 'preference',
  key: `preference.${slug(value)}`,
  value,
  polarity,
})

export const asPreference =
  (polarity: 'like' | 'dislike'): Form['read'] =>
  (text) => {
    const value = text.trim().replace(/ (?:sehr|gern|gerne|beaucoup|mucho|muchísimo)$/, '')
    const isClear = value && !VAGUE.test(value) && value.split(' ').length <= MAX_OBJECT_WORDS
    return isClear ? [preference(polarity, value)] : []
  }

export const asAllergy: Form['read'] = (text) => {
  const value = text.trim()
  return value.split(' ').length > MAX_OBJECT_WORDS || !isAllergen(value)
    ? []
    : [{ kind: 'preference', key: `allergy.${slug(value)}`, value, polarity: 'dislike' }]
}

export const asBirthday =
  (language: DateLanguage): Form['read'] =>
  (text, { at }) =>
    yearly('date.birthday', text, at, language)

const asRelation =
  (relation: string): Form['read'] =>
  (text) => {
    const value = parseName(text)
    return value ? [{ kind: 'relation', key: `relation.${relation}`, value }] : []
  }

/** "My sister Ana", by the words for "my" and for relatives. */
export const relatives = (my: string, words: Record<string, string>): Form[] =>
  Object.entries(words).flatMap(([word, relation]) => [
    form(`${my} ${word} (?:heißt |se llama |s'appelle )?${PERSON}`, asRelation(relation)),
    form(`${my} ${word} (?<value>${NAME})`, asRelation(relation)),
  ])
