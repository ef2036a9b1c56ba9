import { DAY_MS } from '../../../shared/duration.ts'
import type { ShownMemory } from '../memories/store.ts'
import type { AuthorStats, Candidate, CandidateSet, VectorMatches } from './candidate-set.ts'
import type { RecallQuestion } from './question.ts'
import { contextDependence, indexByPosition, scoreTerms } from './term-scores.ts'

/** Added for a time that the question names, as a share of the same. */
const TIME_SHARE = 0.25
/** The score of the latest value of a fact that the question asks for, as a share of the best of the others. */
const FACT_SHARE = 1.2
const DATE_FACTOR = 2
/** For the only author that the question names, and for the first of several. */
const AUTHOR_FACTOR = 1.5
const FIRST_AUTHOR_FACTOR = 1.2
/** For the memories of those whom the question asks about: what the user said, or the assistant. */
const ASKED_FACTOR = 2
const ANSWER_FACTOR = 1.2
const QUESTION_FACTOR = 0.8
/** For a memory that only repeats the question: it does not answer it. */
const REPEATED_FACTOR = 0.08
/** The dialogue factors apply in full to authors who ask, or follow a question, at most this often. */
const USUAL_SHARE = 0.4
/** For a memory that was marked as not relevant to the same question. */
const MARKED_FACTOR = 0.1
/** A memory of the importance 0 or 1 differs by half of this share from one of the default, 0.5. */
const IMPORTANCE_SHARE = 0.1
/** Added for a memory of now; half of it for one of a month ago. */
const RECENCY_SHARE = 0.03
const HALF_LIFE_DAYS = 30
/** For a memory of the project that the question is asked in, beside those of none. */
const PROJECT_FACTOR = 1.15
/** The likeness of two questions up to which a mark for one says nothing of the other. */
const OTHER_QUESTION = 0.5

/** The weight of a similarity's standard score beside the terms of a question that is found as a whole. */
const SEMANTIC_WEIGHT = 0.12
/**
 * The same for the turns of a chat, in proportion to their mean length: a short one says less by itself, and the
 * terms of a long one are about many things.
 */
const TURN_WEIGHT = { perByte: 0.00015, least: 0.04, most: 0.2 }
/** A question with a number or an identifier asks for it, and not for what is alike. */
const EXACT_SHARE = 0.2
/**
 * The standard score from which on a memory is found without any term. It is higher for a short question: a city is
 * near all other cities, and none of them is the answer.
 */
const minStandardScore = (words: number): number => 1 + 2 / words ** 2
/** How many similarities the model's usual ones stand for, beside those of the owner's memories. */
const USUAL_COUNT = 30
const MIN_DEVIATION = 0.02
/** How much compensates for neighbours that a memory does not have: see `scoreTerms`. */
const NEIGHBOR_DISCOUNT = 0.3

/** The components of a score: terms that are added, and factors. The API explains a score by them. */
export interface ScoreComponents {
  words: number
  coverage: number
  semantic: number
  time: number
  fact: number
  author: number
  dialogue: number
  date: number
  change: number
  prior: number
  feedback: number
}

interface RankedCandidate extends ScoreComponents {
  seq: number
  score: number
  /**
   * The share of the question's words, by rarity and weight, that were found in the memory and around it, from 0 to 1.
   * Unlike the coverage, it counts words that no memory has. It is no component of the score.
   */
  match: number
  /** The cosine similarity to the question; undefined without a vector. It is no component of the score either. */
  similarity: number | undefined
}

const totalScore = (parts: ScoreComponents): number =>
  (parts.words * parts.coverage + parts.semantic + parts.time + parts.fact) *
  parts.author *
  parts.dialogue *
  parts.date *
  parts.change *
  parts.prior *
  parts.feedback

/** Adds the fact that a memory states, so that its score is this. */
const withScore = (ranked: RankedCandidate, score: number): RankedCandidate => {
  const factors = ranked.author * ranked.dialogue * ranked.date
  return { ...ranked, score, fact: (score - ranked.score) / factors }
}

const isTurn = ({ thread, author }: Candidate): boolean => thread > 0 && author !== null

const turnWeightOf = (candidates: readonly Candidate[]): number => {
  const sizes = candidates.filter(isTurn).map(({ bytes }) => bytes)
  const { perByte, least, most } = TURN_WEIGHT
  return Math.min(most, Math.max(least, (perByte * sum(sizes)) / (sizes.length || 1)))
}

/** A factor, closer to 1 the more often the author does this anyway. */
const relativeToAuthor = (factor: number, share = 0): number =>
  1 + (factor - 1) * Math.min(1, (1 - share) / (1 - USUAL_SHARE))

/**
 * Returns the standard score of a similarity: how many standard deviations it is above the usual similarity of the
 * owner's memories to the question. A few memories do not show what is usual, so that of the model counts as well.
 */
const standardScores = ({
  usual,
  prior,
}: VectorMatches): ((similarity: number | undefined) => number) => {
  const count = usual.length + (prior ? USUAL_COUNT : 0)
  if (count === 0) return () => 0
  const known = prior ?? { mean: 0, deviation: 0 }
  const weight = prior ? USUAL_COUNT : 0
  const mean = (sum(usual) + weight * known.mean) / count
  const own = sum(usual) / (usual.length || 1)
  const squares = sum(usual.map((similarity) => (similarity - own) ** 2))
  const deviation = Math.sqrt((squares + weight * known.deviation ** 2) / count)
  return (similarity) =>
    similarity === undefined
      ? 0
      : Math.max(0, (similarity - mean) / Math.max(deviation, MIN_DEVIATION))
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const dialogueFactor = (
  { endsAsking, bytes }: Candidate,
  followsQuestion: boolean,
  stats: AuthorStats | undefined,
): number =>
  (followsQuestion ? relativeToAuthor(ANSWER_FACTOR, stats?.answerShare) : 1) *
  (endsAsking
    ? 1 - (1 - relativeToAuthor(QUESTION_FACTOR, stats?.questionShare)) * contextDependence(bytes)
    : 1)

const authorFactor = (
  author: string | null,
  namedAuthors: CandidateSet['namedAuthors'],
  askedAuthors: readonly (string | null)[],
): number => {
  const isAlone = author === null ? undefined : namedAuthors.get(author)
  const isAsked = askedAuthors.includes(author?.toLowerCase() ?? null)
  const byName = isAlone === undefined ? 1 : isAlone ? AUTHOR_FACTOR : FIRST_AUTHOR_FACTOR
  return byName * (isAsked ? ASKED_FACTOR : 1)
}

/**
 * Lowers the score of a memory that people marked as not relevant.
 * @param likeness of the question to the nearest one that it is marked for, from 0 to 1.
 */
export const applyFeedback = <T extends ScoreComponents & { score: number }>(
  scored: T,
  likeness: number,
): T => {
  const share = Math.max(0, likeness - OTHER_QUESTION) / (1 - OTHER_QUESTION)
  const feedback = 1 - (1 - MARKED_FACTOR) * share
  return { ...scored, feedback, score: scored.score * feedback }
}

/**
 * Weakly prefers memories of the project that the question is asked in, and important and recent ones. Days are
 * whole, so that a repeated question has the same scores.
 * @param now undefined where the question is about another time.
 */
export const applyPrior = <T extends ScoreComponents & { score: number }>(
  scored: T,
  {
    importance,
    project,
    occurredAt,
    createdAt,
  }: Pick<ShownMemory, 'importance' | 'project' | 'occurredAt' | 'createdAt'>,
  { now, inProject }: { now: Date | undefined; inProject: string | undefined },
): T => {
  let prior = project !== null && project === inProject ? PROJECT_FACTOR : 1
  if (now) {
    const age = now.getTime() - (occurredAt ?? createdAt).getTime()
    const days = Math.max(0, Math.floor(age / DAY_MS))
    prior *= 1 + IMPORTANCE_SHARE * (importance - 0.5)
    prior *= 1 + RECENCY_SHARE * 2 ** (-days / HALF_LIFE_DAYS)
  }
  return { ...scored, prior, score: scored.score * prior }
}

/**
 * The best candidates, best first. Terms and meaning are added on one scale: the best by terms has the share of the
 * question that it covers, squared, so that a shared incidental word does not outweigh the meaning.
 */
export const rankCandidates = (
  set: CandidateSet,
  vectors: VectorMatches,
  question: Pick<RecallQuestion, 'askedAuthors' | 'isExact' | 'limit' | 'wordCount'>,
): RankedCandidate[] => {
  const neighborsAt = indexByPosition(set.candidates)
  const found = scoreTerms(set, neighborsAt, NEIGHBOR_DISCOUNT)
  const { words, coverage, shares, repeated } = found
  const standardScoreOf = standardScores(vectors)
  const least = minStandardScore(question.wordCount)
  const best = words.reduce((most, score, i) => Math.max(most, score * (coverage[i] ?? 0)), 0) || 1
  const exactShare = question.isExact ? EXACT_SHARE : 1
  const turnWeight = turnWeightOf(set.candidates)

  const authorFactors = new Map<string | null, number>()
  const factorOf = (author: string | null): number => {
    const factor =
      authorFactors.get(author) ?? authorFactor(author, set.namedAuthors, question.askedAuthors)
    authorFactors.set(author, factor)
    return factor
  }

  const dialogueOf = (candidate: Candidate): number => {
    if (repeated.has(candidate.seq)) return REPEATED_FACTOR
    const followsQuestion = neighborsAt(candidate, -1).some(({ asks }) => asks)
    return dialogueFactor(candidate, followsQuestion, set.authorStats.get(candidate.author ?? ''))
  }

  const scoreByTerms = (candidate: Candidate, similarity: number | undefined): RankedCandidate => {
    const { index, seq, author, isAtNamedTime } = candidate
    const scored = {
      seq,
      score: 0,
      match: found.matches[index] ?? 0,
      similarity,
      words: words[index] ?? 0,
      coverage: coverage[index] ?? 0,
      semantic: 0,
      time: isAtNamedTime ? TIME_SHARE * best : 0,
      fact: 0,
      author: factorOf(author),
      dialogue: dialogueOf(candidate),
      date: isAtNamedTime ? DATE_FACTOR : 1,
      change: 1,
      prior: 1,
      feedback: 1,
    }
    scored.score = totalScore(scored)
    return scored
  }

  const matches = set.candidates.flatMap((candidate) => {
    const { index, seq, passesFilter, isAtNamedTime } = candidate
    if (!passesFilter) return []
    const similarity = vectors.similarityOf(seq)
    const isMatch =
      (words[index] ?? 0) > 0 ||
      standardScoreOf(similarity) >= least ||
      set.factRanks.has(seq) ||
      isAtNamedTime
    return isMatch ? [{ candidate, scored: scoreByTerms(candidate, similarity) }] : []
  })
  const bestByTerms = Math.max(0, ...matches.map(({ scored }) => scored.score)) || 1
  // Where no term is found, times decide.
  const covered = Math.max(0, ...matches.map(({ candidate }) => shares[candidate.index] ?? 0)) || 1
  const scale = covered ** 2 / bestByTerms
  const ranked = matches.map(({ candidate, scored }) => {
    const weight = isTurn(candidate) ? turnWeight : SEMANTIC_WEIGHT
    const parts = {
      ...scored,
      words: scored.words * scale,
      time: scored.time * scale,
      semantic: weight * exactShare * standardScoreOf(scored.similarity),
    }
    return { ...parts, score: totalScore(parts) }
  })
  const bestOfAll = Math.max(0, ...ranked.map(({ score }) => score)) || 1
  return ranked
    .map((each) =>
      set.factRanks.get(each.seq) === 1 ? withScore(each, FACT_SHARE * bestOfAll) : each,
    )
    .toSorted((a, b) => b.score - a.score || b.seq - a.seq)
    .slice(0, question.limit)
}
