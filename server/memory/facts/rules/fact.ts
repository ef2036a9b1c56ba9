import type { FactKind } from '../../../../shared/contract/facts.ts'
import { alternatives } from '../../../../shared/text/alternatives.ts'

/** A statement about a person, with the sentence that makes it. */
export interface Fact {
  kind: FactKind
  /** A name as written, or `self` for the owner of the memories. */
  subject: string
  /** The relation, such as `home`, `work.employer` or `preference.coffee`. */
  key: string
  value: string
  /** For preferences only. */
  polarity: 'like' | 'dislike' | null
  /** For reminders that name a time only. */
  dueAt: Date | null
  /** The time zone in which `dueAt` was read: recurring reminders keep their local hour. */
  timezone: string | null
  /** The sentence, as in the text. */
  quote: string
}

export const SELF = 'self'

/** Author names in a conversation with a model. */
const PERSON = /^(user|human|me)$/i
const MACHINE = /^(assistant|ai|bot|model|system|tool)$/i

/** The subject of an author's statements in the first person; undefined for a model. */
export const authorSubject = (author: string | null): string | undefined => {
  if (author === null || PERSON.test(author)) return SELF
  return MACHINE.test(author) ? undefined : author
}

/** Keys that have one value at a time, as a pattern that PostgreSQL reads too. */
export const SINGULAR_KEYS = `^(${alternatives(`
      name | nickname | home | hometown | address | diet | work[.](employer|title)
      date[.](birthday|anniversary) | relation[.](wife|husband) | favourite[.].+
    `)})$`
const singular = new RegExp(SINGULAR_KEYS)

/** Whether a key has one value at a time, so that two values contradict each other. */
export const isSingular = (key: string): boolean => singular.test(key)

/** Turns a phrase into a part of a key: lower-case letters and digits, joined by underscores. */
export const slug = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\d]+/gu, '_')
    .replace(/^_|_$/g, '')

/** Facts with the same identity are equal, or the later one replaces the earlier. */
export const factIdentity = ({ subject, key, value }: Fact): string =>
  JSON.stringify([subject, key, isSingular(key) ? null : value.toLowerCase()])
