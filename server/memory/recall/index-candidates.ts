import { DAY_MS } from '../../../shared/duration.ts'
import { wallClock } from '../../platform/timezone.ts'
import type { Candidate, CandidateSet, TermPosting, VectorMatch } from './candidate-set.ts'
import type { DateMention } from './dates.ts'
import { type Accepts, MICROSECONDS, microseconds } from './index-filter.ts'
import { Flag, type OwnerIndex } from './owner-index.ts'
import type { QuestionTerms, WeightedTerm } from './question-terms.ts'
import { B, CONTEXT_DISTANCE, K1 } from './term-scores.ts'

/** A search of the index. */
export interface IndexQuestion {
  terms: QuestionTerms
  /** Whether a memory is valid and passes the filter. */
  accepts: Accepts
  dates: readonly DateMention[]
  timezone: string
  /** The nearest by vector, and the nearest preferences and instructions. */
  matches: readonly VectorMatch[]
  /** By `seq`. */
  factRanks: CandidateSet['factRanks']
  /** How many of the best by BM25 become candidates. */
  limit: number
}

/** Finds the candidates of a question in the index of its owner. */
export const findInIndex = (index: OwnerIndex, question: IndexQuestion): CandidateSet => {
  const { terms, accepts, limit } = question
  const norm = (K1 * B) / index.meanLength
  const best = bestByTerms(index, terms.weighted, norm, accepts, limit)
  const near = question.matches.flatMap(({ seq }) => index.find(seq) ?? [])
  const top = new Set([...best, ...near])
  const docs = new Set(top)
  for (const doc of top) {
    const threadNo = index.threads[doc] ?? 0
    const position = index.positions[doc] ?? 0
    if (threadNo === 0) continue
    for (const other of index.between(
      threadNo,
      position - CONTEXT_DISTANCE,
      position + CONTEXT_DISTANCE,
    ))
      docs.add(other)
  }
  for (const doc of datedDocs(index, question)) docs.add(doc)
  for (const seq of question.factRanks.keys()) {
    const doc = index.find(seq)
    if (doc !== undefined) docs.add(doc)
  }
  const candidates = toCandidates(index, docs, accepts, namedTimeOf(question))
  const threads = new Set(candidates.flatMap(({ thread }) => (thread > 0 ? [thread] : [])))
  const authors = new Set(candidates.map(({ author }) => author))
  return {
    candidates,
    lastPositions: new Map([...threads].map((thread) => [thread, index.lastPosition(thread)])),
    postings: postingsOf(index, terms.weighted, norm, candidates),
    terms: terms.terms,
    topMatches: new Set([...top].map((doc) => index.seqs[doc] ?? 0)),
    factRanks: question.factRanks,
    authorStats: new Map(
      [...authors].flatMap((author) => {
        const stats = index.statsOf(author)
        return stats ? [[author ?? '', stats]] : []
      }),
    ),
    namedAuthors: terms.namedAuthors,
    unknown: terms.unknown,
  }
}

/** The number of live memories with a term. */
export const countTerm = (index: OwnerIndex, term: string): number => {
  const { docs } = index.postings
  const { start, end, added } = index.postings.of(term)
  if (index.isAllLive) return end - start + (added?.docs.length ?? 0)
  let count = added?.docs.filter((doc) => index.has(doc, Flag.isLive)).length ?? 0
  for (let i = start; i < end; i++) if (index.has(docs[i] ?? 0, Flag.isLive)) count++
  return count
}

/** BM25 of a posting (Robertson and Zaragoza, 2009). */
const postingScore = (idf: number, frequency: number, length: number, norm: number): number =>
  (idf * (K1 + 1) * frequency) / (frequency + (K1 * (1 - B) + norm * length))

/** Scores by document: all zero between two searches. */
let scratch = new Float64Array(0)

/** The best documents by BM25 of their own terms; among equal ones those with the lowest `seq`. */
const bestByTerms = (
  index: OwnerIndex,
  terms: readonly WeightedTerm[],
  norm: number,
  accepts: Accepts,
  limit: number,
): number[] => {
  if (scratch.length < index.count) scratch = new Float64Array(index.seqs.length)
  const scores = scratch
  const { lengths, flags, postings } = index
  const { docs, frequencies } = postings
  const touched: number[] = []
  const add = (doc: number, frequency: number, idf: number): void => {
    if ((flags[doc] ?? 0) & Flag.isRemoved) return
    const before = scores[doc] ?? 0
    if (before === 0) touched.push(doc)
    scores[doc] = before + postingScore(idf, frequency, lengths[doc] ?? 0, norm)
  }
  for (const { term, idf } of terms) {
    const { start, end, added } = postings.of(term)
    for (let i = start; i < end; i++) add(docs[i] ?? 0, frequencies[i] ?? 0, idf)
    for (const [i, doc] of added?.docs.entries() ?? []) add(doc, added?.frequencies[i] ?? 0, idf)
  }
  const best = selectBest(touched.filter(accepts), scores, index.seqs, limit)
  for (const doc of touched) scores[doc] = 0
  return best
}

/** The documents with the highest scores, best first. */
const selectBest = (
  docs: number[],
  scores: Float64Array,
  seqs: Float64Array,
  limit: number,
): number[] => {
  const compare = (a: number, b: number): number =>
    (scores[b] ?? 0) - (scores[a] ?? 0) || (seqs[a] ?? 0) - (seqs[b] ?? 0)
  if (docs.length <= limit) return docs.sort(compare)
  // All that reach the score of the last one, which typed arrays sort fastest.
  const sorted = Float64Array.from(docs, (doc) => scores[doc] ?? 0).sort()
  const least = sorted[sorted.length - limit] ?? 0
  return docs
    .filter((doc) => (scores[doc] ?? 0) >= least)
    .sort(compare)
    .slice(0, limit)
}

/**
 * Memories of the times that the question names: those nearest to the end that it names, the newest of a month of any
 * year.
 */
const datedDocs = (
  index: OwnerIndex,
  question: Pick<IndexQuestion, 'dates' | 'timezone' | 'limit' | 'accepts'>,
): number[] => {
  const { dates, timezone, limit, accepts } = question
  const { times, seqs } = index
  const found = dates.flatMap((mention) => {
    const isNamed = namedTimeOf({ dates: [mention], timezone })
    const docs: number[] = []
    for (let doc = 0; doc < index.count; doc++)
      if (isNamed(times[doc] ?? 0) && accepts(doc)) docs.push(doc)
    const isNewestFirst = 'month' in mention || mention.from === null
    const order = isNewestFirst ? -1 : 1
    return docs
      .sort(
        (a, b) => order * ((times[a] ?? 0) - (times[b] ?? 0)) || (seqs[a] ?? 0) - (seqs[b] ?? 0),
      )
      .slice(0, limit)
  })
  return found.slice(0, limit)
}

/** Whether a time, in microseconds, is one that the question names. */
const namedTimeOf = ({
  dates,
  timezone,
}: Pick<IndexQuestion, 'dates' | 'timezone'>): ((at: number) => boolean) => {
  const conditions = dates.map((mention): ((at: number) => boolean) => {
    if ('month' in mention) {
      const { month, day } = mention
      const isOfMonth = (date: Date) => date.getUTCMonth() + 1 === month
      return (at) => {
        const ms = Math.floor(at / MICROSECONDS)
        // Reading the clock of a time zone takes much longer than this.
        if (!isOfMonth(new Date(ms - DAY_MS)) && !isOfMonth(new Date(ms + DAY_MS))) return false
        const wall = wallClock(new Date(ms), timezone)
        return isOfMonth(wall) && (day === null || wall.getUTCDate() === day)
      }
    }
    const from = mention.from === null ? Number.NEGATIVE_INFINITY : microseconds(mention.from)
    const to = mention.to === null ? Number.POSITIVE_INFINITY : microseconds(mention.to)
    return (at) => at >= from && at < to
  })
  return (at) => conditions.some((isNamed) => isNamed(at))
}

/** In the order of `seq`. */
const toCandidates = (
  index: OwnerIndex,
  docs: Iterable<number>,
  accepts: Accepts,
  isNamedTime: (at: number) => boolean,
): (Candidate & { doc: number })[] =>
  [...docs]
    .sort((a, b) => (index.seqs[a] ?? 0) - (index.seqs[b] ?? 0))
    .map((doc, place) => {
      const seq = index.seqs[doc] ?? 0
      const flags = index.flags[doc] ?? 0
      const threadNo = index.threads[doc] ?? 0
      return {
        doc,
        index: place,
        seq,
        thread: threadNo === 0 ? -seq : threadNo,
        position: threadNo === 0 ? 0 : (index.positions[doc] ?? 0),
        asks: (flags & Flag.asks) !== 0,
        endsAsking: (flags & Flag.endsAsking) !== 0,
        author: index.authorOf(doc),
        bytes: index.sizes[doc] ?? 0,
        length: index.lengths[doc] ?? 0,
        passesFilter: accepts(doc),
        isAtNamedTime: isNamedTime(index.times[doc] ?? 0),
        isLive: (flags & Flag.isLive) !== 0,
      }
    })

/** Whether it takes less time to look a term up in each candidate than to read all of its postings. */
const isFrequent = (postings: number, candidates: number): boolean => postings > candidates * 16

/** The query terms in the candidates. */
const postingsOf = (
  index: OwnerIndex,
  terms: readonly WeightedTerm[],
  norm: number,
  candidates: readonly (Candidate & { doc: number })[],
): TermPosting[] => {
  const { postings, lengths, seqs } = index
  const passing = new Set(
    candidates.flatMap(({ doc, passesFilter }) => (passesFilter ? [doc] : [])),
  )
  const found: TermPosting[] = []
  for (const { term, queryTerm, idf } of terms) {
    const add = (doc: number, frequency: number): void => {
      const score = postingScore(idf, frequency, lengths[doc] ?? 0, norm)
      found.push({ queryTerm, seq: seqs[doc] ?? 0, score })
    }
    const list = postings.of(term)
    if (isFrequent(list.end - list.start, passing.size)) {
      for (const doc of passing) {
        const frequency = postings.frequencyIn(list, doc)
        if (frequency) add(doc, frequency)
      }
      continue
    }
    for (let i = list.start; i < list.end; i++) {
      const doc = postings.docs[i] ?? 0
      if (passing.has(doc)) add(doc, postings.frequencies[i] ?? 0)
    }
    for (const [i, doc] of list.added?.docs.entries() ?? [])
      if (passing.has(doc)) add(doc, list.added?.frequencies[i] ?? 0)
  }
  return found
}
