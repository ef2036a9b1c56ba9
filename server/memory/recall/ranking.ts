import type {
  AuthorStats,
  Candidate,
  CandidateSet,
  VectorMatch,
  VectorMatches,
} from './candidate-set.ts'
import type { RecallQuestion } from './question.ts'
import { indexByPosition, scoreTerms, scoreThreads } from './term-scores.ts'

/** Added for the best thread, as a share of the best score by terms. */
const THREAD_SHARE = 0.2
/** The nearest preferences and instructions get their share in full, and those after them this part of it. */
const FULL_STANDING = 5
const LATER_STANDING_SHARE = 0.3
/** No standing share is left for a preference or an instruction that is less similar than the nearest by this. */
const STANDING_RANGE = 0.5
/** Added for a time that the question names, as a share of the same. */
const TIME_SHARE = 0.25
/**
 * Added for the latest value of a fact that the question asks for, as a share of the same: more than the
 * terms of an earlier value can score.
 */
const FACT_SHARE = 1.2
const DATE_FACTOR = 2
/** For the only author that the question names, and for the first of several. */
const AUTHOR_FACTOR = 1.5
const FIRST_AUTHOR_FACTOR = 1.2
/** For the memories of those whom the question asks about: what the user said, or the assistant. */
const ASKED_FACTOR = 2
const ANSWER_FACTOR = 1.2
const QUESTION_FACTOR = 0.8
/** The dialogue factors apply in full to authors who ask, or follow a question, at most this often. */
const USUAL_SHARE = 0.4
/** The most that a memory loses for being short, and below which share of its author's mean it does. */
const SHORT_SHARE = 0.2
const SHORT_OF_MEAN = 0.3
/** Similarities that differ by less than this are not stretched to the whole range. */
const MIN_SPREAD = 0.3
const FIRST_PERSONS = 3
/** For a memory that was marked as not relevant to the same question. */
const MARKED_FACTOR = 0.1
/** The likeness of two questions up to which a mark for one says nothing of the other. */
const OTHER_QUESTION = 0.5

/** The constants that `bench/quality.ts --weights yes` takes apart, and chooses again without a conversation. */
export interface RankingWeights {
  /** See `scoreTerms`. */
  neighborDiscount: number
  /** Added for the nearest memory by vector, as a share of the best score by terms. */
  semanticShare: number
  /** Added for the nearest preference or instruction where the question asks for advice, as a share of the same. */
  standingShare: number
  /** The same where the question is about what holds for the user. */
  selfShare: number
  /** For preferences and instructions where the question asks for advice. */
  preferenceFactor: number
  /** For 3 words in the first person or more, as exp(this). */
  person: number
}

export const RANKING_WEIGHTS: RankingWeights = {
  neighborDiscount: 0.6,
  semanticShare: 0.25,
  standingShare: 1,
  selfShare: 0.5,
  preferenceFactor: 1.5,
  person: 0.1,
}

/** The components of a score: terms that are added, and factors. The API explains a score by them. */
export interface ScoreComponents {
  words: number
  coverage: number
  thread: number
  semantic: number
  time: number
  fact: number
  author: number
  dialogue: number
  date: number
  length: number
  similarity: number
  person: number
  preference: number
  feedback: number
}

interface RankedCandidate extends ScoreComponents {
  seq: number
  score: number
  /**
   * The share of the question's words, by rarity, that were found in the memory and around it, from 0 to 1.
   * Unlike the coverage, it counts words that no memory has. It is no component of the score.
   */
  match: number
}

const totalScore = (parts: ScoreComponents): number =>
  (parts.words * parts.coverage + parts.thread + parts.semantic + parts.time + parts.fact) *
  parts.author *
  parts.dialogue *
  parts.date *
  parts.length *
  parts.similarity *
  parts.person *
  parts.preference *
  parts.feedback

/** A factor, closer to 1 the more often the author does this anyway. */
const relativeToAuthor = (factor: number, share = 0): number =>
  1 + (factor - 1) * Math.min(1, (1 - share) / (1 - USUAL_SHARE))

/** Functions of a candidate's similarity to the question. */
const similaritiesOf = (
  { matches, similarityWeight }: VectorMatches,
  standing: VectorMatch[],
  { semanticShare, standingShare }: Pick<RankingWeights, 'semanticShare' | 'standingShare'>,
) => {
  const nearest = new Map(matches.map(({ seq, similarity }) => [seq, similarity]))
  const best = Math.max(...nearest.values())
  const least = Math.min(...nearest.values())
  const spread = Math.max(best - least, MIN_SPREAD)
  const bestStanding = standing[0]?.similarity ?? 0
  const standingShares = new Map(
    standing.map(({ seq, similarity }, place) => [
      seq,
      (place < FULL_STANDING ? 1 : LATER_STANDING_SHARE) *
        (1 - (bestStanding - similarity) / STANDING_RANGE),
    ]),
  )
  return {
    /** The share of the best score by terms that is added for it. */
    shareOf(seq: number): number {
      const similarity = nearest.get(seq)
      return Math.max(
        similarity === undefined ? 0 : semanticShare * (1 - (best - similarity) / spread),
        standingShare * (standingShares.get(seq) ?? 0),
      )
    },
    // No other memory is nearer than the matches.
    factorOf: (seq: number): number =>
      nearest.size ? Math.exp(similarityWeight * Math.max(0, nearest.get(seq) ?? least)) : 1,
  }
}

const personFactor = ({ firstPersons }: Candidate, weight: number): number =>
  Math.exp((weight * firstPersons) / FIRST_PERSONS)

const dialogueFactor = (
  { endsAsking }: Candidate,
  followsQuestion: boolean,
  stats: AuthorStats | undefined,
): number =>
  (followsQuestion ? relativeToAuthor(ANSWER_FACTOR, stats?.answerShare) : 1) *
  (endsAsking ? relativeToAuthor(QUESTION_FACTOR, stats?.questionShare) : 1)

const lengthFactor = ({ bytes }: Candidate, stats: AuthorStats | undefined): number => {
  const short = stats ? Math.max(SHORT_OF_MEAN * stats.meanBytes, 1) : 1
  return 1 - SHORT_SHARE + SHORT_SHARE * Math.min(1, bytes / short)
}

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

/** The best candidates, best first. */
export const rankCandidates = (
  set: CandidateSet,
  vectors: VectorMatches,
  question: Pick<RecallQuestion, 'askedAuthors' | 'asksForSummary' | 'guidance' | 'limit'>,
  weights = RANKING_WEIGHTS,
): RankedCandidate[] => {
  const neighborsAt = indexByPosition(set.candidates)
  const { words, coverage, shares } = scoreTerms(set, neighborsAt, weights.neighborDiscount)
  const threads = scoreThreads(set)
  // A question that names an author asks about that person.
  const guidance = set.namedAuthors.size === 0 ? question.guidance : undefined
  const standing = guidance ? (vectors.standing ?? []) : []
  const similarities = similaritiesOf(vectors, standing, {
    // A summary needs all that was said of its subject, and not the texts that are most alike.
    semanticShare: question.asksForSummary ? 0 : weights.semanticShare,
    standingShare: guidance === 'self' ? weights.selfShare : weights.standingShare,
  })
  const best = words.reduce((most, score, i) => Math.max(most, score * (coverage[i] ?? 0)), 0) || 1
  const perThread = (best * THREAD_SHARE) / Math.max(...threads.values())

  const authorFactors = new Map<string | null, number>()
  const factorOf = (author: string | null): number => {
    const factor =
      authorFactors.get(author) ?? authorFactor(author, set.namedAuthors, question.askedAuthors)
    authorFactors.set(author, factor)
    return factor
  }

  const scoreCandidate = (candidate: Candidate): RankedCandidate => {
    const { index, seq, thread, author, isAtNamedTime } = candidate
    const stats = set.authorStats.get(author ?? '')
    const followsQuestion = neighborsAt(candidate, -1).some(({ asks }) => asks)
    const scored = {
      seq,
      score: 0,
      match: shares[index] ?? 0,
      words: words[index] ?? 0,
      coverage: coverage[index] ?? 0,
      thread: (threads.get(thread) ?? 0) * perThread || 0,
      semantic: similarities.shareOf(seq) * best,
      time: isAtNamedTime ? TIME_SHARE * best : 0,
      fact: set.factRanks.get(seq) === 1 ? FACT_SHARE * best : 0,
      author: factorOf(author),
      dialogue: dialogueFactor(candidate, followsQuestion, stats),
      date: isAtNamedTime ? DATE_FACTOR : 1,
      length: lengthFactor(candidate, stats),
      similarity: similarities.factorOf(seq),
      // A summary is of both sides of a chat.
      person: question.asksForSummary ? 1 : personFactor(candidate, weights.person),
      preference: guidance === 'advice' && candidate.mayGuide ? weights.preferenceFactor : 1,
      feedback: 1,
    }
    scored.score = totalScore(scored)
    return scored
  }

  const sufficient = new Set(
    [...vectors.matches.filter(({ isSufficient }) => isSufficient ?? true), ...standing].map(
      ({ seq }) => seq,
    ),
  )
  const isMatch = ({ index, seq, passesFilter, isAtNamedTime }: Candidate): boolean =>
    passesFilter &&
    ((words[index] ?? 0) > 0 || sufficient.has(seq) || set.factRanks.has(seq) || isAtNamedTime)
  return set.candidates
    .filter(isMatch)
    .map(scoreCandidate)
    .toSorted((a, b) => b.score - a.score || b.seq - a.seq)
    .slice(0, question.limit)
}
