import {
  DEFAULT_RECALL_TOKENS,
  type RecalledMemory,
  type RecallResult,
} from '../../../shared/contract/recall.ts'
import { runStepsYielding } from '../../platform/event-loop.ts'
import { estimateJsonTokens, estimateTokens } from '../../platform/models/prompt.ts'
import { quoteLines } from './passages.ts'

/**
 * A long memory gets so many tokens of a text, and more where all have room: on LoCoMo and BEAM, less loses
 * answers, and more loses memories.
 */
const PASSAGE_TOKENS = 96
/** The date, author and marks of a line. */
const HEAD_TOKENS = 16

interface TextRequest {
  query: string
  max_tokens?: number | null
  project?: string | null
  in_project?: string | null
}

/** The memories as compact text within a budget, best first. */
export const recallAsText = async (
  memories: RecalledMemory[],
  { query, max_tokens, project, in_project }: TextRequest,
  timezone: string,
): Promise<RecallResult> => {
  const maxTokens = max_tokens ?? DEFAULT_RECALL_TOKENS
  const needs = memories.map(({ content_text }) => HEAD_TOKENS + estimateTokens(content_text))
  const share = Math.max(PASSAGE_TOKENS, evenShare(needs, maxTokens))
  const quoted = await runStepsYielding(
    quoteLines({
      question: query,
      project: project ?? in_project ?? undefined,
      memories,
      timezone,
      maxTokens,
      shareOf: () => share,
    }),
  )
  const text = quoted.lines.join('\n')
  return {
    memories: [],
    count: quoted.memories.length,
    text,
    memory_ids: quoted.memories.map(({ memory_id }) => memory_id),
    tokens: estimateTokens(text),
  }
}

/** The most that one may get of a total, so that all get what they need or this much. */
const evenShare = (needs: number[], total: number): number => {
  let left = total
  for (const [index, need] of needs.toSorted((a, b) => a - b).entries()) {
    const share = left / (needs.length - index)
    if (need > share) return share
    left -= need
  }
  return total
}

/** The memories that fit a budget as JSON, best first. One that does not fit leaves room for the next. */
export const recallWithin = (memories: RecalledMemory[], maxTokens: number): RecallResult => {
  let tokens = 0
  const fitted = memories.filter((memory) => {
    const cost = estimateJsonTokens(memory)
    if (tokens + cost > maxTokens) return false
    tokens += cost
    return true
  })
  return { memories: fitted, count: fitted.length, tokens }
}
