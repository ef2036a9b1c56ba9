import { type Fact, factsIn, placeOf, subjectOf } from '../facts/rules/index.ts'
import type { Said } from '../facts/said.ts'
import { statementOf } from '../facts/statements.ts'
import type { FactRow } from '../facts/store.ts'

/** Where one clause of a sentence ends and another begins. */
const JOINT =
  /[,;:–—]\s+(?:(?:and|but|so|because|while|und|aber|y|pero|et|mais)\s+)?|\s+(?:and|but|so|because|while|und|aber|y|pero|et|mais)\s+/u
/** What begins so, or has fewer words, and in which nothing is read, is a scrap: "since last year". */
const SCRAP =
  /^(?:since|in|on|at|for|from|with|of|during|until|by|seit|in|bei|mit|von|desde|en|con|de|depuis|avec|à)(?![\p{L}])/iu
const MIN_WORDS = 3
/** Stands for the value, which may have a comma of its own. */
const VALUE = '\u0000'

/**
 * What a memory says beside something that is not so: its text without the clauses that say it. What
 * was read from such a sentence besides is said anew, where it goes with the clause.
 * @param lost the facts that are not so. @param others what else the memory says.
 * @returns undefined where nothing is left.
 */
export const restOf = (memory: Said, lost: FactRow[], others: FactRow[]): string | undefined => {
  const rest = lost
    .reduce(
      (text, fact) => text.replace(fact.quote, () => sentenceWithout(fact, others, memory)),
      memory.contentText,
    )
    .replace(/[ \t]{2,}/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return /[\p{L}\p{N}]/u.test(rest) ? rest : undefined
}

const sentenceWithout = (lost: FactRow, others: FactRow[], memory: Said): string => {
  const kept = clausesWithout(lost, memory)
  const known = new Set(read(kept, memory).map(placeOf))
  const gone = others.filter(({ quote }) => quote === lost.quote).map(asFact)
  const said = gone.filter((fact) => !known.has(placeOf(fact)))
  return [kept, ...said.map((fact) => sentenceOf(fact, memory))].filter(Boolean).join(' ')
}

/** The other clauses of the sentence; none where the value cannot be told apart. */
const clausesWithout = (lost: FactRow, memory: Said): string => {
  const [end = ''] = /[.!]*$/.exec(lost.quote) ?? []
  const at = lost.quote.toLowerCase().indexOf(lost.value.toLowerCase())
  if (at < 0) return ''
  const after = lost.quote.slice(at + lost.value.length, lost.quote.length - end.length)
  const clauses = `${lost.quote.slice(0, at)}${VALUE}${after}`.split(JOINT)
  const others = clauses.filter(
    (clause) => !clause.includes(VALUE) && saysSomething(clause, memory),
  )
  const text = `${others.join(', ')}${end || '.'}`.replace(/^\p{Ll}/u, (first) =>
    first.toUpperCase(),
  )
  const isStill = read(text, memory).some(
    ({ key, subject }) => key === lost.key && subject === lost.subject,
  )
  return others.length > 0 && !isStill ? text : ''
}

const saysSomething = (clause: string, memory: Said): boolean =>
  read(clause, memory).length > 0 ||
  (clause.split(/\s+/).length >= MIN_WORDS && !SCRAP.test(clause))

const read = (text: string, { author, occurredAt, createdAt, timezone }: Said) =>
  factsIn(text, { author, occurredAt, now: createdAt, timezone })

const asFact = ({ isLiked, ...fact }: FactRow): Fact => ({
  ...fact,
  polarity: isLiked === null ? null : isLiked ? 'like' : 'dislike',
})

const sentenceOf = (fact: Fact, { author }: Said): string => {
  if (fact.subject === subjectOf(author)) return statementOf(fact)
  const what = fact.key.split('.').at(-1)?.replaceAll('_', ' ')
  return `${fact.subject}: ${what}, ${fact.value}.`
}
