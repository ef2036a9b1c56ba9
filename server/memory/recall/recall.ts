import type { Database } from '../../platform/db/database.ts'
import type { ShownMemory } from '../memories/store.ts'
import type { VectorMatches } from './candidate-set.ts'
import type { RecallFilter } from './filter-store.ts'
import { rankCandidates, type ScoreComponents } from './ranking.ts'
import { findByPattern, findCandidates, type RecallQuery, readMemories } from './store.ts'

interface ScoredMemory extends ScoreComponents {
  memory: ShownMemory
  score: number
}

/**
 * The best memories for a question, best first.
 * @returns undefined when the basis of the vector matches was out of date; it is updated.
 */
export const recallMemories = async (
  database: Pick<Database, 'query'>,
  ownerId: string,
  question: RecallQuery,
  filter: RecallFilter,
  found: VectorMatches,
): Promise<ScoredMemory[] | undefined> => {
  const { set, reading } = await findCandidates(database, ownerId, question, filter, found)
  if (!set) {
    await found.basis?.update(reading)
    return undefined
  }
  const isInLanguage = !found.basis || found.basis.language === reading?.language
  const matches = isInLanguage ? found.matches : []
  const ranked = rankCandidates(set, matches, question.askedAuthors, question.limit)
  if (ranked.length === 0) return []
  const memories = await readMemories(
    database,
    ownerId,
    ranked.map(({ seq }) => seq),
  )
  return ranked.flatMap(({ seq, ...scored }) => {
    const memory = memories.get(seq)
    return memory ? [{ memory, ...scored }] : []
  })
}

/** How often a recall uses cached vectors that other writes make stale, before it searches the database. */
const MAX_ATTEMPTS = 3

/** The best memories for a question, searched by terms and by vector. */
export const recallNearest = async (
  database: Pick<Database, 'query'>,
  search: (isCacheAllowed: boolean) => Promise<VectorMatches>,
  ownerId: string,
  question: RecallQuery,
  filter: RecallFilter,
): Promise<ScoredMemory[]> => {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const found = await search(true)
    const recalled = await recallMemories(database, ownerId, question, filter, found)
    if (recalled) return recalled
  }
  const { matches } = await search(false)
  return (await recallMemories(database, ownerId, question, filter, { matches })) ?? []
}

/** A longer question is not a name. */
const MAX_TEXT_CHARACTERS = 100

const UNSCORED: Omit<ScoredMemory, 'memory'> = {
  score: 0,
  words: 0,
  coverage: 0,
  thread: 0,
  semantic: 0,
  time: 0,
  fact: 0,
  author: 1,
  dialogue: 1,
  date: 1,
  length: 1,
}

/** Memories with the exact text of a question: one of stop words alone may be a name, such as "The Who". */
export const recallByText = async (
  database: Pick<Database, 'query'>,
  ownerId: string,
  question: string,
  filter: RecallFilter,
  limit: number,
): Promise<ScoredMemory[]> => {
  if (question.length > MAX_TEXT_CHARACTERS) return []
  // Reads at most 200 characters: MAX_TEXT_CHARACTERS.
  const text = question.trim().replace(/[.?!。？！]+$/, '')
  if (text === '') return []
  const found = await findByPattern(database, ownerId, wholeWordPattern(text), filter, limit)
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
