import { factReader } from '../../server/memory/facts/questions.ts'
import { createBuiltInSearch } from '../../server/memory/recall/built-in-search.ts'
import type { CandidateSet, VectorMatches } from '../../server/memory/recall/candidate-set.ts'
import { type RecallQuestion, readQuestion } from '../../server/memory/recall/question.ts'
import {
  RANKING_WEIGHTS,
  type RankingWeights,
  rankCandidates,
} from '../../server/memory/recall/ranking.ts'
import { STANDING_MATCHES, VECTOR_MATCHES_PER_RESULT } from '../../server/memory/recall/service.ts'
import { findCandidates } from '../../server/memory/recall/store.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { UTC } from '../../server/platform/timezone.ts'
import { me } from '../../shared/contract/index.ts'
import type { Account } from '../lib/server.ts'
import { mean } from '../lib/stats.ts'
import { LIMIT } from './ask.ts'
import type { Conversation } from './data.ts'

/** A question with what it found, before that is ranked. */
export interface RankedSample {
  conversation: string
  set: CandidateSet
  vectors: VectorMatches
  question: RecallQuestion
  /** The `seq` of its evidence. */
  evidence: number[]
}

/** Finds the candidates for the questions of a conversation that was written. */
export const findSamples = async (
  { client, userId }: Account,
  beside: Database,
  { name, questions }: Conversation,
  ids: Map<string, string>,
): Promise<RankedSample[]> => {
  const rows = await beside.query<{ memory_id: string; seq: number | string }>(
    'select memory_id, seq from memories where owner_id = $1',
    [userId],
  )
  const seqOf = new Map(rows.map(({ memory_id, seq }) => [memory_id, Number(seq)]))
  const searchVectors = createBuiltInSearch(beside.query)
  const caller = {
    userId,
    ownerId: userId,
    keyId: null,
    isForOrg: false,
    timezone: UTC,
    me: await client.call(me),
  }
  const samples: RankedSample[] = []
  for (const { question: query, evidence } of questions) {
    const body = { query, limit: LIMIT, scope: 'personal' as const, explain: false }
    const question = await readQuestion(caller, body, factReader)
    const vectors = await searchVectors({
      ownerId: userId,
      question: { text: query, languages: question.languages },
      filter: {},
      limit: LIMIT * VECTOR_MATCHES_PER_RESULT,
      standingLimit: question.guidance ? STANDING_MATCHES : 0,
    })
    const set = await findCandidates(beside, { ownerId: userId, question, filter: {} }, vectors)
    samples.push({
      conversation: name,
      set,
      vectors,
      question,
      evidence: evidence.map((id) => seqOf.get(ids.get(id) ?? '') ?? 0),
    })
  }
  return samples
}

/** The share of the evidence among the first 10 and 50 results, in percent. */
export interface RankedScores {
  at10: number
  at50: number
}

const scoresOf = (samples: RankedSample[], weights: RankingWeights): RankedScores => {
  const shares = samples.map(({ set, vectors, question, evidence }) => {
    const found = rankCandidates(set, vectors, question, weights).map(({ seq }) => seq)
    const shareOf = (k: number) => {
      const first = new Set(found.slice(0, k))
      return evidence.filter((seq) => first.has(seq)).length / evidence.length
    }
    return [shareOf(10), shareOf(50)] as const
  })
  return {
    at10: 100 * mean(shares.map(([at10]) => at10)),
    at50: 100 * mean(shares.map(([, at50]) => at50)),
  }
}

/** The steps of ranking that weights turn on. */
const STEPS: Record<string, Partial<RankingWeights>> = {
  'compensation for absent neighbours': { neighborDiscount: RANKING_WEIGHTS.neighborDiscount },
  'similarity by vector': { semanticShare: RANKING_WEIGHTS.semanticShare },
  'preferences and instructions': {
    standingShare: RANKING_WEIGHTS.standingShare,
    selfShare: RANKING_WEIGHTS.selfShare,
    preferenceFactor: RANKING_WEIGHTS.preferenceFactor,
  },
  'first person': { person: RANKING_WEIGHTS.person },
}

const OFF: RankingWeights = {
  neighborDiscount: 0,
  semanticShare: 0,
  standingShare: 0,
  selfShare: 0,
  preferenceFactor: 1,
  person: 0,
}

/** The scores without steps, with each alone, and with each added to those before it. */
export const scoreSteps = (samples: RankedSample[]): [name: string, scores: RankedScores][] => {
  const steps = Object.entries(STEPS)
  const added = steps.map(([name], index): [string, RankingWeights] => [
    `+ ${name}`,
    Object.assign({}, OFF, ...steps.slice(0, index + 1).map(([, weights]) => weights)),
  ])
  const alone = steps.map(([name, weights]): [string, RankingWeights] => [
    `${name} alone`,
    { ...OFF, ...weights },
  ])
  return [['none of the steps', OFF] as const, ...alone, ...added].map(([name, weights]) => [
    name,
    scoresOf(samples, weights),
  ])
}

/** The weights to choose from without a conversation. */
const choices = (): RankingWeights[] =>
  [0.33, 0.6].flatMap((neighborDiscount) =>
    [0.15, 0.25, 0.4].flatMap((semanticShare) =>
      [0, 1].flatMap((standingShare) =>
        [0, 0.1, 0.2].map((person) => ({
          neighborDiscount,
          semanticShare,
          standingShare,
          person,
          selfShare: standingShare * RANKING_WEIGHTS.selfShare,
          preferenceFactor: standingShare ? RANKING_WEIGHTS.preferenceFactor : 1,
        })),
      ),
    ),
  )

/**
 * The scores of each conversation with the weights that are best on average on the others, by R@10 and R@50: every
 * conversation has the same weight.
 */
export const leaveOneOut = (
  samples: RankedSample[],
): { conversation: string; weights: RankingWeights; scores: RankedScores }[] => {
  const groups = [...Map.groupBy(samples, ({ conversation }) => conversation)]
  const measured = choices().map((weights) => ({
    weights,
    scores: groups.map(([, group]) => scoresOf(group, weights)),
  }))
  return groups.flatMap(([conversation], left) => {
    const ofOthers = ({ scores }: (typeof measured)[number]) =>
      mean(scores.flatMap(({ at10, at50 }, index) => (index === left ? [] : at10 + at50)))
    const best = measured.reduce((a, b) => (ofOthers(b) > ofOthers(a) ? b : a))
    const scores = best.scores[left]
    return scores ? [{ conversation, weights: best.weights, scores }] : []
  })
}
