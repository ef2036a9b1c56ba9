import { alternatives } from '../../../shared/text/alternatives.ts'
import { authorSubject, type Fact, factIdentity } from '../facts/rules/fact.ts'
import { factsIn } from '../facts/rules/index.ts'
import { sentenceFor } from '../facts/sentences.ts'
import type { FactRow, ZonedMemory } from '../facts/store.ts'

/** Between two clauses of a sentence. */
const JOINT =
  /[，；]\s*|[,;:–—]\s+(?:(?:and|but|so|because|while|und|aber|y|pero|et|mais)\s+)?|(?<!\s)\s+(?:and|but|so|because|while|und|aber|y|pero|et|mais)\s+/u
/** A clause without facts that begins so, or is shorter, is dropped: "since last year". */
const FRAGMENT = new RegExp(
  `^(?:${alternatives(`
      since | in | on | at | for | from | with | of | during | until | by | seit | in | bei | mit
      von | desde | en | con | de | depuis | avec | à
    `)})(?![\\p{L}])`,
  'iu',
)
const MIN_WORDS = 3
/** Replaces the value, which may contain a comma. */
const VALUE = '\u0000'

/**
 * The text of a memory without the clauses that state the lost facts. Other facts of such a clause are
 * restated in new sentences.
 * @param lost the facts to remove.
 * @param others the other facts of the memory.
 * @returns undefined if no text is left.
 */
export const remainderOf = (
  memory: ZonedMemory,
  lost: FactRow[],
  others: FactRow[],
): string | undefined => {
  const remainder = lost
    .reduce(
      (text, fact) => text.replace(fact.quote, () => sentenceWithout(fact, others, memory)),
      memory.contentText,
    )
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return /[\p{L}\p{N}]/u.test(remainder) ? remainder : undefined
}

const sentenceWithout = (lost: FactRow, others: FactRow[], memory: ZonedMemory): string => {
  const clauses = clausesWithout(lost, memory)
  const known = new Set(factsOf(clauses, memory).map(factIdentity))
  const ofSentence = others.filter(({ quote }) => quote === lost.quote).map(asFact)
  const missing = ofSentence.filter((fact) => !known.has(factIdentity(fact)))
  return [clauses, ...missing.map((fact) => sentenceOf(fact, memory))].filter(Boolean).join(' ')
}

/** The other clauses of the sentence; empty if the value cannot be located or remains stated. */
const clausesWithout = (lost: FactRow, memory: ZonedMemory): string => {
  const [end = ''] = /(?<![.!。！])[.!。！]*$/.exec(lost.quote) ?? []
  const at = lost.quote.toLowerCase().indexOf(lost.value.toLowerCase())
  if (at < 0) return ''
  const after = lost.quote.slice(at + lost.value.length, lost.quote.length - end.length)
  const clauses = `${lost.quote.slice(0, at)}${VALUE}${after}`.split(JOINT)
  const others = clauses.filter((clause) => !clause.includes(VALUE) && isMeaningful(clause, memory))
  const text = `${others.join(/[，。]/.test(lost.quote) ? '，' : ', ')}${end || '.'}`.replace(
    /^\p{Ll}/u,
    (first) => first.toUpperCase(),
  )
  const isStillStated = factsOf(text, memory).some(
    ({ key, subject }) => key === lost.key && subject === lost.subject,
  )
  return others.length > 0 && !isStillStated ? text : ''
}

const isMeaningful = (clause: string, memory: ZonedMemory): boolean =>
  factsOf(clause, memory).length > 0 ||
  (clause.split(/\s+/).length >= MIN_WORDS && !FRAGMENT.test(clause))

const factsOf = (text: string, { author, occurredAt, createdAt, timezone }: ZonedMemory) =>
  factsIn(text, { author, occurredAt, now: createdAt, timezone })

const asFact = ({ isLiked, ...fact }: FactRow): Fact => ({
  ...fact,
  polarity: isLiked === null ? null : isLiked ? 'like' : 'dislike',
})

const sentenceOf = (fact: Fact, { author }: ZonedMemory): string => {
  if (fact.subject === authorSubject(author)) return sentenceFor(fact)
  const relation = fact.key.split('.').at(-1)?.replaceAll('_', ' ')
  return `${fact.subject}: ${relation}, ${fact.value}.`
}
