import type { Moment } from './dates.ts'
import { type Fact, SELF } from './fact.ts'
import { NAME, nameOf } from './grammar.ts'
import { RELATIONS } from './words.ts'

/** Who said something, and when. */
export interface Speaker {
  /** The subject of what is said in the first person. */
  name: string
  at: Moment
}

/** A clause that begins with whom or what it is about. */
export interface Statement {
  subject: string
  person: 'first' | 'third'
  /** What stands after "I" or "Ada"; or what after "my" or "Ada's". */
  rest: string
  isPossessive: boolean
}

/** A fact without what is the same for all facts of a statement. */
export type Draft = Pick<Fact, 'kind' | 'key' | 'value'> &
  Partial<Pick<Fact, 'polarity' | 'dueAt' | 'subject'>>

/** A form of words, and the facts it stands for. */
export interface Rule {
  form: Record<Statement['person'], RegExp>
  isPossessive: boolean
  read(groups: Record<string, string>, speaker: Speaker): Draft[]
}

/** What may stand between a subject and its verb without changing what is said. */
const ADVERBS =
  '(?:(?:actually|also|absolutely|always|basically|currently|definitely|especially|generally|honestly|just|mostly|mainly|normally|now|particularly|personally|really|recently|simply|still|totally|truly|usually|officially|happily|presently|both|very much|quite) ){0,2}'

const VERBS: Record<string, [first: string, third: string]> = {
  '{am}': ['(?:am|are|m)', 'is'],
  '{have}': ['(?:have|got)', 'has'],
  '{do}': ['do', 'does'],
}

/** `{live}` stands for the form of the verb that goes with the subject; `~` for adverbs. */
const formOf = (pattern: string, person: Statement['person']) =>
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
  (pattern: string, read: Rule['read']): Rule => ({
    form: { first: formOf(pattern, 'first'), third: formOf(pattern, 'third') },
    isPossessive,
    read,
  })

/** What is said of "I" or "Ada". */
export const says = rule(false)
/** What is said of something of "mine" or "Ada's". */
export const has = rule(true)

export const RELATION = Object.keys(RELATIONS)
  .sort((one, other) => other.length - one.length)
  .join('|')

/** What may stand before a relation: it is still that relation. */
export const WHICH =
  '(?:(?:dear|beloved|lovely|wonderful|amazing|older|elder|eldest|oldest|younger|youngest|big|little|baby|twin|best|good|close|new|old|childhood|middle|sweet|adorable) ){0,2}'

const FIRST = /^(?:I|i|[Ww]e)\s+/
const MINE = /^(?:[Mm]y|[Oo]ur)\s+/
const THE_USER = /^(?:[Tt]he )?[Uu]ser(?<own>'s)?\s+/
const RELATIVE = new RegExp(
  `^(?:[Mm]y|[Oo]ur) ${WHICH}(?:${RELATION}),? (?<name>${NAME}),?\\s+`,
  'u',
)
const NAMED = new RegExp(`^(?<name>${NAME})\\s+`, 'u')

/** The statements that a clause may be read as. */
export const statementsOf = (clause: string, { name }: Speaker): Statement[] => {
  const statement = (subject: string, person: Statement['person'], found: string, own = false) => [
    { subject, person, rest: clause.slice(found.length), isPossessive: own },
  ]
  const [first] = FIRST.exec(clause) ?? []
  if (first) return statement(name, 'first', first)
  const user = THE_USER.exec(clause)
  if (user) return statement(SELF, 'third', user[0], Boolean(user.groups?.own))
  const relative = RELATIVE.exec(clause)
  const [mine] = MINE.exec(clause) ?? []
  const own = mine ? statement(name, 'first', mine, true) : []
  const named = relative ?? (mine ? null : NAMED.exec(clause))
  const written = named?.groups?.name ?? ''
  const subject = nameOf(written)
  return subject && named
    ? [...own, ...statement(subject, 'third', named[0], written.endsWith("'s"))]
    : own
}
