import { NIL_UUID } from '../../../shared/contract/common.ts'
import {
  type ContextRequest,
  type ContextResult,
  context,
} from '../../../shared/contract/context.ts'
import { projectTag } from '../../memory/capture/service.ts'
import type { IdentityService } from '../../memory/identity/service.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import { mergeScopes } from '../../memory/recall/scopes.ts'
import type { RecallService } from '../../memory/recall/service.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import { defineRetention } from '../../platform/retention.ts'
import { formatBlock } from './block.ts'
import { selectMemories } from './selection.ts'
import { addGiven, deleteGivenBefore, eraseGiven, listGiven } from './store.ts'

/** Memories that are recalled to choose from, and that a block has at most. */
export const CANDIDATES = 40
export const MAX_MEMORIES = 20
/** Notes on a project that are given with the first message of a conversation. */
const MAX_PROJECT_NOTES = 5
/** A conversation that is resumed later is given everything again. */
const KEPT_DAYS = 90

export interface ContextService {
  /**
   * Returns the block of memories that a model should have before it answers a message: those that are
   * relevant and that the conversation was not given before, within a budget. Empty where none is.
   * @param signal aborted when the client disconnects: it has not received the block.
   */
  give(caller: Caller, request: ContextRequest, signal?: AbortSignal): Promise<ContextResult>
  /** Erases what was given to the conversations of a user, within the transaction that deletes them. */
  erase(tx: Db, userId: string): Promise<void>
}

interface ContextDeps {
  recalls: Pick<RecallService, 'recallByScope'>
  identity: Pick<IdentityService, 'anchors'>
  memories: Pick<MemoryService, 'list'>
}

export const createContextService = (
  { query }: Pick<Database, 'query'>,
  { recalls, identity, memories }: ContextDeps,
): ContextService => {
  const recall = async (caller: Caller, request: ContextRequest) => {
    if (!/[\p{L}\p{N}]/u.test(request.query)) return []
    const found = await recalls.recallByScope(caller, {
      query: request.query,
      limit: CANDIDATES,
      scope: 'all',
      min_trust: request.min_trust ?? null,
      explain: true,
    })
    return mergeScopes('all', found, CANDIDATES)
  }

  /** The user's identity, and the latest notes on the project. */
  const identityOf = async (caller: Caller, { project }: ContextRequest): Promise<string[]> => {
    const [{ anchors }, notes] = await Promise.all([
      caller.isForOrg ? { anchors: [] } : identity.anchors(caller),
      project ? memories.list(caller, { tag: projectTag(project), limit: 50 }) : undefined,
    ])
    const standing = (notes?.memories ?? [])
      .filter(
        ({ memory_type, superseded_by }) =>
          superseded_by === null && (memory_type === 'preference' || memory_type === 'procedural'),
      )
      .slice(0, MAX_PROJECT_NOTES)
    return [
      ...anchors.map(
        ({ anchor_key, value }) => `${anchor_key.replaceAll(/[._]/g, ' ')}: ${value};`,
      ),
      ...standing.map(({ content_text }) => content_text),
    ]
  }

  return {
    async give(caller, request, signal) {
      const { session, thread } = request
      const [recalled, given] = await Promise.all([
        recall(caller, request),
        session ? listGiven(query, caller.userId, session) : new Set<string>(),
      ])
      const isFirst = session != null && !given.has(NIL_UUID)
      const selected = selectMemories(recalled, {
        query: request.query,
        limit: MAX_MEMORIES,
        except: given,
        thread: thread ?? undefined,
      })
      const block = formatBlock({
        question: request.query,
        identity: isFirst ? await identityOf(caller, request) : [],
        memories: selected,
        timezone: caller.timezone,
        maxTokens: request.max_tokens,
      })
      const ids = block.memories.map(({ memory_id }) => memory_id)
      if (block.hasIdentity) ids.push(NIL_UUID)
      if (session && ids.length && !signal?.aborted)
        await addGiven(query, caller.userId, session, ids)
      return { text: block.text, memories: block.memories, tokens: block.tokens }
    },

    erase: eraseGiven,
  }
}

export const contextRetention = defineRetention({
  name: 'context_given',
  run: ({ query }) => deleteGivenBefore(query, KEPT_DAYS),
})

export const contextRoutes = (mount: Mount, contexts: Pick<ContextService, 'give'>): void => {
  mount(context, ({ caller, body, signal }) => contexts.give(caller, body, signal))
}
