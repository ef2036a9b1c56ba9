import { alternatives } from '../../../../shared/text/alternatives.ts'
import type { LocalMoment } from './dates.ts'
import { type Fact, SELF } from './fact.ts'
import { NAME, parseName } from './grammar.ts'
import { RELATIONS } from './words.ts'

/** The author of a sentence, and its time. */
export interface Speaker {
  /** The subject of statements in the first person. */
  name: string
  at: LocalMoment
}

/** A clause that begins with its subject. */
interface Clause {
  subject: string
  person: 'first' | 'third'
  /** The text after "I" or "Ada", or after "my" or "Ada's". */
  rest: string
  isPossessive: boolean
}

/** A fact without the fields that all facts of a sentence share. */
export type PartialFact = Pick<Fact, 'kind' | 'key' | 'value'> &
  Partial<Pick<Fact, 'polarity' | 'dueAt' | 'subject'>>

/** A pattern of a clause, and the facts that it states. */
export interface FactRule {
  form: Record<Clause['person'], RegExp>
  isPossessive: boolean
  read(groups: Record<string, string>, speaker: Speaker): PartialFact[]
}

/** Adverbs between subject and verb that do not change the meaning. */
const ADVERBS = `(?:(?:${alternatives(`
      actually | also | absolutely | always | basically | currently | definitely | especially
      generally | honestly | just | mostly | mainly | normally | now | particularly | personally
      really | recently | simply | still | totally | truly | usually | officially | happily
      presently | both | very much | quite
    `)}) ){0,2}`

const VERBS: Record<string, [first: string, third: string]> = {
  '{am}': ['(?:am|are|m)', 'is'],
  '{have}': ['(?:have|got)', 'has'],
  '{do}': ['do', 'does'],
}

/** Compiles a pattern: `{live}` matches "live" or "lives" by person, `~` matches adverbs. */
const formOf = (pattern: string, person: Clause['person']) =>
  // Reads at most 400 characters: a sentence.
  new RegExp(
    `^${pattern
      .replace(/\{[a-z]{2,}\}/g, (verb) => {
        const [first, third] = VERBS[verb] ?? [verb.slice(1, -1), inThirdPerson(verb.slice(1, -1))]
        return person === 'first' ? first : third
      })
      .replaceAll('~', ADVERBS)}`,
    'u',
  )

const inThirdPerson = (verb: string) => (/(s|sh|ch|x|o)$/.test(verb) ? `${verb}es` : `${verb}s`)

const rule =
  (isPossessive: boolean) =>
  (pattern: string, read: FactRule['read']): FactRule => ({
    form: { first: formOf(pattern, 'first'), third: formOf(pattern, 'third') },
    isPossessive,
    read,
  })

/** A rule for a predicate of "I" or "Ada". */
export const subjectRule = rule(false)
/** A rule for a predicate of "my ..." or "Ada's ...". */
export const possessiveRule = rule(true)

export const RELATION = Object.keys(RELATIONS)
  .sort((one, other) => other.length - one.length)
  .join('|')

/** Adjectives before a relation that do not change it. */
export const RELATION_ADJECTIVES = `(?:(?:${alternatives(`
      dear | beloved | lovely | wonderful | amazing | older | elder | eldest | oldest | younger
      youngest | big | little | baby | twin | best | good | close | new | old | childhood | middle
      sweet | adorable
    `)}) ){0,2}`

const FIRST = /^(?:I|i|[Ww]e)\s+/
const MINE = /^(?:[Mm]y|[Oo]ur)\s+/
const THE_USER = /^(?:[Tt]he )?[Uu]ser(?<own>'s)?\s+/
// Reads at most 400 characters: a sentence.
const RELATIVE = new RegExp(
  `^(?:[Mm]y|[Oo]ur) ${RELATION_ADJECTIVES}(?:${RELATION}),? (?<name>${NAME}),?\\s+`,
  'u',
)
// Reads at most 400 characters: a sentence.
const NAMED = new RegExp(`^(?<name>${NAME})\\s+`, 'u')

/** The ways in which a text can be split into subject and predicate. */
export const clausesOf = (text: string, { name }: Speaker): Clause[] => {
  const clause = (subject: string, person: Clause['person'], found: string, own = false) => [
    { subject, person, rest: text.slice(found.length), isPossessive: own },
  ]
  const [first] = FIRST.exec(text) ?? []
  if (first) return clause(name, 'first', first)
  const user = THE_USER.exec(text)
  if (user) return clause(SELF, 'third', user[0], Boolean(user.groups?.own))
  const relative = RELATIVE.exec(text)
  const [mine] = MINE.exec(text) ?? []
  const own = mine ? clause(name, 'first', mine, true) : []
  const named = relative ?? (mine ? null : NAMED.exec(text))
  const written = named?.groups?.name ?? ''
  const subject = parseName(written)
  return subject && named
    ? [...own, ...clause(subject, 'third', named[0], written.endsWith("'s"))]
    : own
}
