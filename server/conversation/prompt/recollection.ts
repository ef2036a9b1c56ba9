import type { Depth } from '../../../shared/schemas/chat.ts'
import type { RecalledMemory, ScopeMode } from '../../../shared/schemas/memory.ts'
import type { RecallService } from '../../memory/recall/service.ts'
import { bestOf } from '../../memory/recall/tiers.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Log } from '../../platform/log.ts'

/**
 * How many memories are recalled, and how often a model may be called: from `deep` on it may recall
 * by a question of its own, whether or not it was offered tools.
 */
export const DEPTHS: Record<Depth, { memories: number; steps: number }> = {
  quick: { memories: 10, steps: 1 },
  deep: { memories: 20, steps: 3 },
  sage: { memories: 40, steps: 6 },
}

/** Looked at for each one wanted, because some are left out. */
const SURPLUS = 2
/** Earlier answers are no more than this share of what is recalled. */
const ANSWER_SHARE = 0.25

export interface Recollecting {
  query: string
  limit: number
  scope: ScopeMode
  agentSlug: string | null
  /** The messages that the prompt has anyway. */
  except: ReadonlySet<string>
}

export type Recollection = ReturnType<typeof createRecollection>

/** Finds what to say from. Without it an answer is worse; so a failure is logged, and no more. */
export const createRecollection = ({ tiers }: Pick<RecallService, 'tiers'>, log: Log) => {
  /** What of a tier is worth saying, the best first. */
  const sifted = (memories: RecalledMemory[], { limit, except }: Recollecting) => {
    const mostAnswers = Math.ceil(limit * ANSWER_SHARE)
    let answers = 0
    return memories
      .filter(({ source }) => !except.has(source.ref ?? ''))
      .filter(isFirstToSay())
      .filter(({ source }) => source.kind !== 'answer' || answers++ < mostAnswers)
      .slice(0, limit)
  }

  return async (caller: Caller, asked: Recollecting): Promise<RecalledMemory[]> => {
    const { query, limit, scope, agentSlug, except } = asked
    if (!/[\p{L}\p{N}]/u.test(query)) return []
    try {
      const found = await tiers(caller, {
        query,
        limit: limit * SURPLUS + except.size,
        scope,
        agent_slug: agentSlug,
        explain: false,
      })
      const worth = found.map((memories) => sifted(memories, asked))
      return bestOf(scope, worth, limit)
    } catch (error) {
      log.error({ error }, 'nothing was recalled for a conversation')
      return []
    }
  }
}

/** What was said in the same words more than once is recalled once. */
const isFirstToSay = () => {
  const said = new Set<string>()
  return ({ content_text }: RecalledMemory): boolean => {
    const isFirst = !said.has(content_text)
    said.add(content_text)
    return isFirst
  }
}

/** A message this short says little without what was said before. */
const SHORT_WORDS = 4

/** What is recalled for a message: itself, and the one before where it goes on from there. */
export const queryFor = (message: string, before: string | undefined): string =>
  before && message.split(/\s+/).length < SHORT_WORDS ? `${message}\n${before}` : message
