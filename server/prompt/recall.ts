import type { Depth } from '../../shared/contract/chat.ts'
import type { RecalledMemory, ScopeMode } from '../../shared/contract/recall.ts'
import type { RecordActivity } from '../account/activity/service.ts'
import { mergeScopes } from '../memory/recall/scopes.ts'
import { asRecorded, type RecallService } from '../memory/recall/service.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Log } from '../platform/log.ts'
import { type RelevanceCut, selectMemories } from './context/selection.ts'

/**
 * `memories`: how many are recalled. `steps`: how often the model may be called. From `deep` on the model
 * may recall with its own queries, whether or not the request offers tools.
 */
export const DEPTHS: Record<Depth, { memories: number; steps: number }> = {
  quick: { memories: 10, steps: 1 },
  deep: { memories: 20, steps: 3 },
  sage: { memories: 40, steps: 6 },
}

/** The name of svc's own chat among the assistants. */
const CHAT = 'chat'

/** Candidates requested for each memory wanted, because some are filtered out. */
const CANDIDATES_PER_MEMORY = 2

export interface PromptRecall {
  query: string
  limit: number
  scope: ScopeMode
  agentSlug: string | null
  /** Ids of messages that the prompt contains anyway. */
  except: ReadonlySet<string>
  /** Default: that of a prompt. */
  cut?: RelevanceCut
}

/** Recalls memories for a prompt. A failure is logged and recalls nothing: the turn continues. */
export type RecallForPrompt = (caller: Caller, request: PromptRecall) => Promise<RecalledMemory[]>

export const createRecallForPrompt = (
  { recallForModel }: Pick<RecallService, 'recallForModel'>,
  { log, record }: { log: Log; record: RecordActivity },
): RecallForPrompt => {
  return async (caller, request) => {
    const { query, limit, scope, agentSlug, except, cut } = request
    if (!/[\p{L}\p{N}]/u.test(query)) return []
    try {
      const startedAt = performance.now()
      const found = await recallForModel(caller, {
        query,
        limit: limit * CANDIDATES_PER_MEMORY + except.size,
        scope,
        agent_slug: agentSlug,
        explain: true,
      })
      const tookMs = performance.now() - startedAt
      const filtered = found.map((memories) =>
        selectMemories(memories, { query, limit, except, ...(cut && { cut }) }),
      )
      const memories = mergeScopes(scope, filtered, limit)
      record(caller, {
        kind: 'context',
        client: agentSlug ?? CHAT,
        question: query,
        memories: memories.map(asRecorded),
        tookMs,
      })
      return memories
    } catch (error) {
      log.error({ error }, 'recall for a conversation failed')
      return []
    }
  }
}

/** A message of fewer words is understood only with the one before it. */
const SHORT_WORDS = 4

/** The query of a message: its text, with the user's previous message where it is short. */
export const recallQuery = (message: string, previous: string | undefined): string =>
  previous && message.split(/\s+/).length < SHORT_WORDS ? `${message}\n${previous}` : message
