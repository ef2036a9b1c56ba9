import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import { ANSWER_SOURCE } from '../../memory/memories/actor.ts'
import { containsStatement } from '../statements.ts'

/** The maximum share of a model's earlier answers among the memories. */
const ANSWER_SHARE = 0.25
/**
 * The relevance that a memory needs: the share of the question's words that it covers, weighted by their
 * rarity, and its score relative to the best one. A fact or a time that the question asks for is enough.
 */
const MIN_COVERAGE = 0.3
const MIN_SCORE_SHARE = 0.4

export interface Selection {
  limit: number
  /** Ids of memories, or of the messages that they were made of, that the model has seen. */
  except: ReadonlySet<string>
  /** The memories of this conversation are left out. */
  thread?: string | undefined
}

/** The relevant memories for a model among those recalled, best first, each text once. */
export const selectMemories = (
  recalled: RecalledMemory[],
  { limit, except, thread }: Selection,
): RecalledMemory[] => {
  const maxAnswers = Math.ceil(limit * ANSWER_SHARE)
  const best = recalled[0]?.score ?? 0
  const texts = new Set<string>()
  let answers = 0
  return recalled
    .filter(
      (memory) =>
        !except.has(memory.memory_id) &&
        !except.has(memory.source.ref ?? '') &&
        (thread === undefined || memory.thread !== thread) &&
        isRelevant(memory, best) &&
        isWorthGiving(memory),
    )
    .filter(({ content_text }) => !texts.has(content_text) && texts.add(content_text))
    .filter(({ source }) => source.kind !== ANSWER_SOURCE || answers++ < maxAnswers)
    .slice(0, limit)
}

const isRelevant = ({ score, explanation }: RecalledMemory, best: number): boolean => {
  if (!explanation) return true
  if (explanation.fact > 0 || explanation.time > 0) return true
  return explanation.coverage >= MIN_COVERAGE && score >= best * MIN_SCORE_SHARE
}

/** A prompt that only asks for something holds nothing that its answer does not. */
const isWorthGiving = ({ source, content_text }: RecalledMemory): boolean =>
  source.kind !== 'prompt' || containsStatement(content_text)
