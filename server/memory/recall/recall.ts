import type { Database } from '../../platform/db/database.ts'
import type { ShownMemory } from '../memories/store.ts'
import { asksForPast, isLater, isTrustedAs, newerFirst } from './changes.ts'
import type { FoundCandidates } from './index-search.ts'
import { applyFeedback, applyPrior, rankCandidates, type ScoreComponents } from './ranking.ts'
import { findByPattern, type RecallRequest, readMemories, type TextScope } from './store.ts'

export interface ScoredMemory extends ScoreComponents {
  memory: ShownMemory
  score: number
  /** See `RankedCandidate`. */
  match: number
  similarity: number | undefined
}

type Connection = Pick<Database, 'query'>

/** Ranks candidates and reads the best memories, best first: one for each text, the newest of the most trusted. */
export const rankFound = async (
  connection: Connection,
  { ownerId, question, filter }: Pick<RecallRequest, 'ownerId' | 'question' | 'filter'>,
  { set, vectors }: FoundCandidates,
): Promise<ScoredMemory[]> => {
  const { limit } = question
  // Where the question names a time, that time decides.
  const asksForNow = question.dates.length === 0 && !asksForPast(question.text)
  const preferred = { now: asksForNow ? new Date() : undefined, inProject: filter.inProjects?.[0] }
  const ranked = rankCandidates(set, vectors, { ...question, limit: 2 * limit })
  const read = async (page: typeof ranked): Promise<ScoredMemory[]> => {
    if (page.length === 0) return []
    const seqs = page.map(({ seq }) => seq)
    const memories = await readMemories(connection, { ownerId, question, seqs })
    return page.flatMap(({ seq, ...scored }) => {
      const found = memories.get(seq)
      if (!found) return []
      const { memory, markedLikeness } = found
      return [applyPrior(applyFeedback({ memory, ...scored }, markedLikeness), memory, preferred)]
    })
  }
  let best = newestOfEach(await read(ranked.slice(0, limit)))
  // A marked memory, and one with the same text as another, may give its place to one after the limit.
  if (best.length < limit || best.some(({ feedback }) => feedback !== 1))
    best = newestOfEach([...best, ...(await read(ranked.slice(limit)))])
  const first = best.toSorted((a, b) => b.score - a.score).slice(0, limit)
  return asksForNow ? newerFirst(first) : first
}

const newestOfEach = (found: ScoredMemory[]): ScoredMemory[] => {
  const newest = new Map<string, ScoredMemory>()
  for (const each of found) {
    const { contentText } = each.memory
    const other = newest.get(contentText)
    if (!other) newest.set(contentText, each)
    // It takes the place of the better one.
    else if (isTrustedAs(each, other) && (isLater(each, other) || !isTrustedAs(other, each)))
      newest.set(contentText, { ...other, memory: each.memory })
  }
  return [...newest.values()]
}

/** Keeps the others within the share of the best score that a prompt is given. */
const ABOVE_BEST = 1.01

/** A longer question is not a name. */
const MAX_TEXT_CHARACTERS = 100

const UNSCORED: Omit<ScoredMemory, 'memory'> = {
  score: 0,
  match: 0,
  words: 0,
  coverage: 0,
  semantic: 0,
  time: 0,
  fact: 0,
  author: 1,
  dialogue: 1,
  date: 1,
  change: 1,
  prior: 1,
  similarity: undefined,
  feedback: 1,
}

/**
 * Puts the memories that a question names by their ids above all others, into the first scope. Where the
 * beginning of an id names several, the rest of the question decides.
 */
export const namedFirst = (
  found: ScoredMemory[][],
  named: ShownMemory[],
  limit: number,
): ScoredMemory[][] => {
  if (named.length === 0) return found
  const ranked = found.flat()
  const best = Math.max(0, ...ranked.map(({ score }) => score))
  const score = best * ABOVE_BEST || 1
  const ids = new Map(named.map((memory) => [memory.memoryId, memory]))
  const scoreOf = (id: string) => ranked.find(({ memory }) => memory.memoryId === id)?.score ?? -1
  const first = [...ids.values()]
    .sort((one, other) => scoreOf(other.memoryId) - scoreOf(one.memoryId))
    .map((memory) => ({ memory, ...UNSCORED, match: 1, fact: score, score }))
  const others = found.map((scope) => scope.filter(({ memory }) => !ids.has(memory.memoryId)))
  return others.map((scope, i) => (i === 0 ? [...first, ...scope].slice(0, limit) : scope))
}

/** Memories with the exact text of a question: one of stop words alone may be a name, such as "The Who". */
export const recallByText = async (
  connection: Connection,
  scope: TextScope,
  question: string,
): Promise<ScoredMemory[]> => {
  if (question.length > MAX_TEXT_CHARACTERS) return []
  // Reads at most 200 characters: MAX_TEXT_CHARACTERS.
  const text = question.trim().replace(/[.?!。？！]+$/, '')
  if (text === '') return []
  const found = await findByPattern(connection, scope, wholeWordPattern(text))
  return found.map((memory) => ({ memory, ...UNSCORED }))
}

/** A regular expression of PostgreSQL for the text as whole words, with any space between them. */
const wholeWordPattern = (text: string): string => {
  const words = text
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}\p{M}]/gu, '\\$&'))
  const isSpaced = (edge: string | undefined) =>
    edge !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u.test(edge)
  const pattern = words.join('\\s+')
  return `${isSpaced(text.trim().at(0)) ? '\\m' : ''}${pattern}${isSpaced(text.trim().at(-1)) ? '\\M' : ''}`
}
