import type { Candidate, CandidateSet, QueryTerm } from './candidate-set.ts'

/** Saturation and length normalization of BM25 (Robertson and Zaragoza, 2009, section 3.2). */
export const K1 = 1.2
export const B = 0.75

/** How many places before and after it in its thread are the context of a memory. */
export const CONTEXT_DISTANCE = 2
/** The share of its term scores that a memory gives its neighbour, by the neighbour's place. */
const NEXT_SHARE = 0.6
const NEXT_SHARE_OF_QUESTION = 1
/** For what follows the same question: an earlier answer, which may be that none was known. */
const NEXT_SHARE_OF_REPEATED = 0.1
const SECOND_NEXT_SHARE = 0.3
const PREVIOUS_SHARE = 0.3
const SECOND_PREVIOUS_SHARE = 0.1
/** A memory of more bytes (about 25 English words) is understood without context: it gets less. */
const CONTEXT_DEPENDENT_BYTES = 160
const NEIGHBOR_SHARES: readonly (readonly [distance: number, share: number])[] = [
  [-2, 0.1],
  [-1, 0.4],
  [1, 0.4],
  [2, 0.1],
]
/** The share of the score that depends on how much of the question is covered. */
const COVERAGE_SHARE = 0.8
/** Added to the idf of each word: among a few memories, a word that all of them have says something too. */
const MATCH_SMOOTHING = 1

/** A memory that only repeats the question has so much of it, and is at most so much longer in words. */
const REPEATED_SHARE = 0.9
const REPEATED_LENGTH = 1.3

const contextShare = (distance: number, asks: boolean, isRepeated: boolean): number => {
  switch (distance) {
    case 1:
      if (isRepeated) return NEXT_SHARE_OF_REPEATED
      return asks ? NEXT_SHARE_OF_QUESTION : NEXT_SHARE
    case 2:
      return SECOND_NEXT_SHARE
    case -1:
      return PREVIOUS_SHARE
    default:
      return SECOND_PREVIOUS_SHARE
  }
}

/** Returns the candidates at a distance from another in its thread: several after a supersession. */
type NeighborsAt = (candidate: Candidate, distance: number) => readonly Candidate[]

const NONE: readonly Candidate[] = []

export const indexByPosition = (candidates: Candidate[]): NeighborsAt => {
  const threads = new Map<number, Map<number, Candidate[]>>()
  for (const candidate of candidates) {
    const positions = threads.get(candidate.thread) ?? new Map<number, Candidate[]>()
    threads.set(candidate.thread, positions)
    const there = positions.get(candidate.position)
    if (there) there.push(candidate)
    else positions.set(candidate.position, [candidate])
  }
  return ({ thread, position }, distance) => threads.get(thread)?.get(position + distance) ?? NONE
}

/**
 * The shares of a memory's neighbours that exist, from 0 to 1: it may have no thread or stand at an end, and
 * they may be deleted or superseded. A neighbour that is no candidate is only looked for among the positions
 * of the thread.
 */
const existingShare = (
  candidate: Candidate,
  { lastPositions, topMatches }: CandidateSet,
  neighborsAt: NeighborsAt,
): number => {
  const { thread, position, seq } = candidate
  const exists = (distance: number): boolean => {
    const there = neighborsAt(candidate, distance)
    if (there.length > 0 || topMatches.has(seq)) return there.some(({ isLive }) => isLive)
    const place = position + distance
    return place >= 1 && place <= (lastPositions.get(thread) ?? 0)
  }
  return NEIGHBOR_SHARES.reduce((sum, [distance, share]) => sum + (exists(distance) ? share : 0), 0)
}

/** For each candidate, by its index; 0 for one without a query term. */
interface TermScores {
  words: Float64Array
  coverage: Float64Array
  /** The share of the question that was found, with its words that no memory has. */
  shares: Float64Array
  /** The same by the weights of its words: how much of what it is about was found. */
  matches: Float64Array
  /** The candidates that only repeat the question. */
  repeated: ReadonlySet<number>
}

/**
 * Scores candidates by query terms. Each term counts where it scores best: in the memory itself or, for
 * a share, in a neighbour. Names of authors are not given to neighbours and do not count for coverage.
 * @param neighborDiscount the scores of a memory are multiplied by 1 - this × the shares of its neighbours that
 * exist: they may raise its scores, and a note that stands alone would rank below every turn of a chat.
 */
export const scoreTerms = (
  set: CandidateSet,
  neighborsAt: NeighborsAt,
  neighborDiscount: number,
): TermScores => {
  const { candidates, terms } = set
  const numbers = [...terms.keys()]
  const idfs = numbers.map((number) => coveredIdf(terms.get(number)))
  const totalIdf = idfs.reduce((sum, idf) => sum + idf, 0)
  const repeated = findRepeated(set, totalIdf)
  const best = bestScores(set, numbers, neighborsAt, repeated)
  const words = new Float64Array(candidates.length)
  const coverage = new Float64Array(candidates.length)
  const shares = new Float64Array(candidates.length)
  const matches = new Float64Array(candidates.length)
  const { unknown } = set
  const weights = idfs.map((idf) => (idf ? idf + MATCH_SMOOTHING : 0))
  const unknownWeight = unknown.idf + MATCH_SMOOTHING
  const aboutOf = numbers.map((number) => terms.get(number)?.weight ?? 0)
  const whole = weights.reduce((sum, weight) => sum + weight, unknownWeight * unknown.count)
  const wholeAbout = weights.reduce(
    (sum, weight, i) => sum + weight * (aboutOf[i] ?? 0),
    unknownWeight * unknown.weight,
  )
  for (const candidate of candidates) {
    const { index } = candidate
    let sum = 0
    let covered = 0
    let found = 0
    let about = 0
    for (let column = 0; column < idfs.length; column++) {
      const score = best[index * idfs.length + column] ?? 0
      if (score === 0) continue
      sum += score
      covered += idfs[column] ?? 0
      found += weights[column] ?? 0
      about += (weights[column] ?? 0) * (aboutOf[column] ?? 0)
    }
    words[index] = sum && sum * (1 - neighborDiscount * existingShare(candidate, set, neighborsAt))
    shares[index] = found / whole || 0
    matches[index] = about / wholeAbout || 0
    if (sum)
      coverage[index] = 1 - COVERAGE_SHARE + COVERAGE_SHARE * (totalIdf && covered / totalIdf)
  }
  return { words, coverage, shares, matches, repeated }
}

const findRepeated = (
  { candidates, postings, terms, unknown }: CandidateSet,
  totalIdf: number,
): ReadonlySet<number> => {
  const least = REPEATED_SHARE * (totalIdf + unknown.idf * unknown.count)
  const most = REPEATED_LENGTH * (terms.size + unknown.count)
  const counted = new Map<number, Set<number>>()
  for (const { seq, queryTerm } of postings)
    counted.set(seq, (counted.get(seq) ?? new Set()).add(queryTerm))
  const found = (seq: number): number =>
    [...(counted.get(seq) ?? [])].reduce((sum, term) => sum + coveredIdf(terms.get(term)), 0)
  return new Set(
    candidates.flatMap(({ seq, endsAsking, length }) =>
      endsAsking && length <= most && found(seq) >= least ? [seq] : [],
    ),
  )
}

const coveredIdf = (term: QueryTerm | undefined): number => (term && !term.isName ? term.idf : 0)

/**
 * The share of its own terms in the scores of a part of a document: it names its subject itself, as a turn of a chat
 * often does not. A memory without an author is taken for one.
 */
const OWN_SHARE = 0.75

/** A row for each candidate with a column for each query term. */
const bestScores = (
  { candidates, postings, terms }: CandidateSet,
  numbers: number[],
  neighborsAt: NeighborsAt,
  repeated: ReadonlySet<number>,
): Float64Array => {
  const bySeq = new Map(candidates.map((candidate) => [candidate.seq, candidate]))
  const columns = new Map(numbers.map((number, column) => [number, column]))
  const best = new Float64Array(candidates.length * numbers.length)
  const own = new Float64Array(best.length)
  const contextOf = shareOut(neighborsAt, repeated)
  for (const { queryTerm, seq, score } of postings) {
    const source = bySeq.get(seq)
    if (!source) continue
    const isName = terms.get(queryTerm)?.isName ?? false
    const column = columns.get(queryTerm) ?? 0
    for (const { index, share, isNeighbor, isAnswer } of contextOf(source)) {
      if (isName && isNeighbor) continue
      const cell = index * numbers.length + column
      best[cell] = Math.max(best[cell] ?? 0, score * share)
      if (!isNeighbor || isAnswer) own[cell] = Math.max(own[cell] ?? 0, score * share)
    }
  }
  for (const { index, author } of candidates) {
    if (author !== null) continue
    const start = index * numbers.length
    for (let cell = start; cell < start + numbers.length; cell++)
      best[cell] = OWN_SHARE * (own[cell] ?? 0) + (1 - OWN_SHARE) * (best[cell] ?? 0)
  }
  return best
}

/** A candidate that gets a share of the term scores of another, or of its own. */
interface Share {
  index: number
  share: number
  isNeighbor: boolean
  /** It follows a question, whose words count as its own. */
  isAnswer: boolean
}

/** Finds the shares of each candidate once, because it has several postings. */
const shareOut = (neighborsAt: NeighborsAt, repeated: ReadonlySet<number>) => {
  const shares: Share[][] = []
  return (source: Candidate): Share[] => {
    const known = shares[source.index]
    if (known) return known
    const found: Share[] = []
    const isRepeated = repeated.has(source.seq)
    for (let distance = -CONTEXT_DISTANCE; distance <= CONTEXT_DISTANCE; distance++)
      for (const { index, bytes } of neighborsAt(source, distance))
        found.push({
          index,
          share:
            distance === 0
              ? 1
              : contextShare(distance, source.asks, isRepeated) * contextDependence(bytes),
          isNeighbor: distance !== 0,
          isAnswer: distance === 1 && source.asks,
        })
    shares[source.index] = found
    return found
  }
}

/** From 0 to 1: a long memory is understood by itself, and is about more than its last sentence. */
export const contextDependence = (bytes: number): number =>
  Math.min(1, CONTEXT_DEPENDENT_BYTES / bytes)
