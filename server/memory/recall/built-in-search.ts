import type { Query } from '../../platform/db/database.ts'
import { BUILT_IN_MODEL } from '../memories/vectors.ts'
import { contentWords, GLOVE_LANGUAGE, sentenceVector, without } from '../text/word-vectors.ts'
import type { SearchVectors, VectorMatch } from './candidate-set.ts'
import { searchInLanguage, type VectorSearch } from './vector-search.ts'

/**
 * The least cosine similarity of a memory that shares no word with the question; one that shares a word is
 * ranked by its similarity, even a low one. The fewer words a question has, the higher it is: a single
 * word is near all words of its kind, as one city is near all others.
 */
const MIN_SIMILARITY = 0.2
const MIN_SIMILARITY_OF_ONE_WORD = 0.6

const minSimilarity = (words: number): number =>
  MIN_SIMILARITY + (MIN_SIMILARITY_OF_ONE_WORD - MIN_SIMILARITY) / words ** 2

/** The names of authors that an owner's last questions had, so that most questions need one search. */
const MAX_OWNERS = 1_000
const MAX_NAMES_PER_OWNER = 50

const createRecentNames = () => {
  const recent = new Map<string, readonly string[]>()
  return {
    among: (ownerId: string, words: readonly string[]): string[] =>
      words.filter((word) => recent.get(ownerId)?.includes(word)),

    record(ownerId: string, names: readonly string[]): void {
      const all = [...new Set([...names, ...(recent.get(ownerId) ?? [])])]
      recent.delete(ownerId)
      recent.set(ownerId, all.slice(0, MAX_NAMES_PER_OWNER))
      const [oldest] = recent.keys()
      if (oldest && recent.size > MAX_OWNERS) recent.delete(oldest)
    },
  }
}

const areEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name))

/** Finds the memories nearest to a question by the built-in vectors, in PostgreSQL. */
export const createBuiltInSearch = (query: Query): SearchVectors => {
  const recentNames = createRecentNames()

  const searchDatabase = async (
    search: Omit<VectorSearch, 'vector'>,
    words: string[],
    languages: readonly string[],
  ): Promise<VectorMatch[]> => {
    const searchWithout = async (names: readonly string[]) => {
      const { vector, subject, markSufficient } = readWords(words, names)
      if (!vector || !subject) return undefined
      const question = { words, languages, language: GLOVE_LANGUAGE }
      const found = await searchInLanguage(
        query,
        { ...search, vector: search.filter.isStanding ? subject : vector },
        question,
      )
      return { ...found, matches: found.matches.map(markSufficient) }
    }
    const expected = recentNames.among(search.ownerId, words)
    const found = await searchWithout(expected)
    if (!found || found.language !== GLOVE_LANGUAGE) return []
    if (areEqual(found.names, expected)) return found.matches
    recentNames.record(search.ownerId, found.names)
    return (await searchWithout(found.names))?.matches ?? []
  }

  return async ({ ownerId, question, filter, limit, standingLimit = 0 }) => {
    const words = [...new Set(contentWords(question.text))]
    const search = { model: BUILT_IN_MODEL, ownerId, filter, limit, minSimilarity: 0 }
    const standingSearch = {
      ...search,
      // All of them may bear on the question.
      minSimilarity: -1,
      filter: { ...filter, isStanding: true as const },
      limit: standingLimit,
    }
    const [matches, standing] = await Promise.all([
      searchDatabase(search, words, question.languages),
      standingLimit ? searchDatabase(standingSearch, words, question.languages) : [],
    ])
    return { matches, standing, similarityWeight: BUILT_IN_MODEL.similarityWeight }
  }
}

const REQUEST_WORDS = [
  'suggest',
  'recommend',
  'advice',
  'help',
  'find',
  'best',
  'good',
  'idea',
  'plan',
  'give',
]
let ofRequests: Float32Array | undefined

const requestVector = (): Float32Array => {
  ofRequests ??= sentenceVector(REQUEST_WORDS) ?? new Float32Array(0)
  return ofRequests
}

/** The vector of a question without names of authors: a name is near all other names. */
export const readWords = (words: readonly string[], names: readonly string[]) => {
  const others = words.filter((word) => !names.includes(word))
  const searched = others.length ? others : words
  const least = minSimilarity(searched.length)
  const vector = sentenceVector(searched)
  return {
    vector,
    /** The same for a search among preferences and instructions: they are not about the request itself. */
    subject: vector && without(vector, requestVector()),
    markSufficient: ({ seq, similarity }: VectorMatch): VectorMatch => ({
      seq,
      similarity,
      isSufficient: similarity >= least,
    }),
  }
}
