import type { Depth } from '../../../shared/schemas/chat.ts'
import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import type { ScopeMode } from '../../../shared/schemas/talk.ts'
import type { RecallService } from '../../memory/recall/service.ts'
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
/** Of the tiers, the first gets this share where the second has enough. */
const FIRST_TIER_SHARE = 0.5

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
export const createRecollection = ({ recall }: Pick<RecallService, 'recall'>, log: Log) => {
  const find = async (
    caller: Caller,
    { query, limit, except }: Recollecting,
    agentSlug: string | null,
    isWanted: (memory: RecalledMemory) => boolean,
  ): Promise<RecalledMemory[]> => {
    if (!/[\p{L}\p{N}]/u.test(query)) return []
    try {
      const body = { query, limit: limit * SURPLUS + except.size, explain: false }
      const { memories } = await recall(caller, { ...body, agent_slug: agentSlug })
      const mostAnswers = Math.ceil(limit * ANSWER_SHARE)
      let answers = 0
      return memories
        .filter(({ source }) => !except.has(source.ref ?? ''))
        .filter(isWanted)
        .filter(isFirstToSay())
        .filter(({ source }) => source.kind !== 'answer' || answers++ < mostAnswers)
        .slice(0, limit)
    } catch (error) {
      log.error({ error }, 'nothing was recalled for a conversation')
      return []
    }
  }
  const all = () => true
  const personal = (memory: RecalledMemory) => memory.agent_slug === null

  return async (caller: Caller, asked: Recollecting): Promise<RecalledMemory[]> => {
    const { scope, agentSlug, limit } = asked
    // Nobody has memories of an organization yet.
    if (scope === 'org') return []
    if (scope === 'all') return find(caller, asked, null, all)
    if (scope === 'personal' || !agentSlug) return find(caller, asked, null, personal)
    const own = await find(caller, asked, agentSlug, all)
    if (scope === 'agent') return own
    const others = await find(caller, asked, null, personal)
    const first = Math.max(Math.ceil(limit * FIRST_TIER_SHARE), limit - others.length)
    return [...own.slice(0, first), ...others].slice(0, limit)
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
