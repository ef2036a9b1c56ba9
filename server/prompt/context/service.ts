import { NIL_UUID } from '../../../shared/contract/common.ts'
import {
  type ContextRequest,
  type ContextResult,
  context,
} from '../../../shared/contract/context.ts'
import { withTrustNote } from '../../../shared/origin.ts'
import type { RecordActivity } from '../../account/activity/service.ts'
import type { IdentityService } from '../../memory/identity/service.ts'
import type { MemoryService } from '../../memory/memories/service.ts'
import { mergeScopes } from '../../memory/recall/scopes.ts'
import { asRecorded, type RankedMemory, type RecallService } from '../../memory/recall/service.ts'
import type { Database } from '../../platform/db/database.ts'
import { runStepsYielding } from '../../platform/event-loop.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import { defineRetention } from '../../platform/retention.ts'
import { formatBlock } from './block.ts'
import { selectMemories } from './selection.ts'
import { addGiven, deleteGivenBefore, eraseGiven, forgetGiven, listGiven } from './store.ts'

/** Memories that are recalled to choose from. With 40, recall takes almost twice as long. */
export const CANDIDATES = 20
/** Notes on a project that are given with the first message of a conversation. */
const MAX_PROJECT_NOTES = 5
/** The types of memories that are notes: captured messages are events. */
const NOTE_TYPES = ['preference', 'procedural'] as const
/** A conversation that is resumed later is given everything again. */
const KEPT_DAYS = 90

const NOTHING_GIVEN: Promise<ReadonlySet<string>> = Promise.resolve(new Set())

/** The memories to choose from, best first. */
export interface RecalledMemories {
  memories: RankedMemory[]
  tookMs: number
}

/** The sources of a block, which may still be under way. */
interface ContextSources {
  recalled: Promise<RecalledMemories>
  /** The ids that the session was given before. */
  given: Promise<ReadonlySet<string>>
}

/** A block that its session is not yet known to have been given. */
export interface ComposedContext extends ContextResult {
  /** The ids to record as given to the session. */
  ids: string[]
}

export type ContextService = ReturnType<typeof createContextService>

interface ContextDeps {
  recalls: Pick<RecallService, 'recallForModel'>
  identity: Pick<IdentityService, 'anchors'>
  memories: Pick<MemoryService, 'list'>
}

export const createContextService = (
  { query }: Pick<Database, 'query'>,
  deps: ContextDeps,
  record: RecordActivity,
) => {
  /** Searches the memories to choose from for a message. */
  const recall = async (
    caller: Caller,
    request: Pick<ContextRequest, 'query' | 'min_trust' | 'project'>,
  ): Promise<RecalledMemories> => {
    if (!/[\p{L}\p{N}]/u.test(request.query)) return { memories: [], tookMs: 0 }
    const startedAt = performance.now()
    const found = await deps.recalls.recallForModel(caller, {
      query: request.query,
      limit: CANDIDATES,
      scope: 'all',
      min_trust: request.min_trust ?? null,
      in_project: request.project ?? null,
      explain: true,
    })
    const tookMs = performance.now() - startedAt
    return { memories: mergeScopes('all', found, CANDIDATES), tookMs }
  }

  /** The memories of other projects, for a message that those of this one do not answer. */
  const elsewhere = async (
    caller: Caller,
    request: Pick<ContextRequest, 'query' | 'min_trust' | 'project'>,
  ): Promise<RankedMemory[]> => {
    const { memories } = await recall(caller, { ...request, project: null })
    return memories.filter(({ project }) => project !== null && project !== request.project)
  }

  /** Makes the block without recording that it was given. */
  const compose = async (
    caller: Caller,
    request: ContextRequest,
    sources: ContextSources,
  ): Promise<ComposedContext> => {
    const { session, thread } = request
    const identityFor = async (given: ReadonlySet<string>) =>
      session != null && !given.has(NIL_UUID) ? identityOf(deps, caller, request) : []
    const [recalled, given, identity] = await Promise.all([
      sources.recalled,
      sources.given,
      sources.given.then(identityFor),
    ])
    const select = (memories: RankedMemory[]) =>
      selectMemories(memories, {
        query: request.query,
        limit: CANDIDATES,
        except: given,
        thread: thread ?? undefined,
      })
    const near = select(recalled.memories)
    const selected =
      near.length || !request.project ? near : select(await elsewhere(caller, request))
    const { text, memories, tokens, hasIdentity } = await runStepsYielding(
      formatBlock({
        question: request.query,
        project: request.project ?? undefined,
        identity,
        memories: selected,
        timezone: caller.timezone,
        maxTokens: request.max_tokens,
      }),
    )
    record(caller, {
      ...conversationOf(request),
      kind: 'context',
      question: request.query,
      memories: memories.map(asRecorded),
      tookMs: recalled.tookMs,
    })
    const ids = memories.map(({ memory_id }) => memory_id)
    return { text, memories, tokens, ids: hasIdentity ? [...ids, NIL_UUID] : ids }
  }

  const givenTo = (userId: string, session: string, isForgotten = false) =>
    isForgotten
      ? forgetGiven(query, userId, session).then(() => NOTHING_GIVEN)
      : listGiven(query, userId, session)

  return {
    /**
     * Returns the block of memories that a model should have before it answers a message: those that are
     * relevant and that the conversation was not given before, within a budget. Empty where none is.
     * @param signal aborted when the client disconnects: it has not received the block.
     */
    async give(
      caller: Caller,
      request: ContextRequest,
      signal?: AbortSignal,
    ): Promise<ContextResult> {
      const { session, compacted } = request
      const recalled = recall(caller, request)
      const given = session ? givenTo(caller.userId, session, compacted) : NOTHING_GIVEN
      const { ids, ...block } = await compose(caller, request, { recalled, given })
      if (session && ids.length && !signal?.aborted)
        await addGiven(query, caller.userId, session, ids)
      return block
    },

    recall,
    compose,

    /** Records that a session was given memories. */
    record: addGiven,

    /** Erases what was given to the conversations of a user, within the transaction that deletes them. */
    erase: eraseGiven,
  }
}

/** The program and its conversation, where the thread is that of a captured one. */
const conversationOf = ({ thread, session }: ContextRequest) => {
  const program = session && thread?.endsWith(`:${session}`) && thread.slice(0, -session.length - 1)
  return { ...(program && { client: program }), ...(session && { session }) }
}

/**
 * The user's identity, and the latest notes on the project. Text that someone else may have written, such as
 * that of a file, is neither; what an assistant wrote is marked.
 */
const identityOf = async (
  { identity, memories }: ContextDeps,
  caller: Caller,
  { project, min_trust }: ContextRequest,
): Promise<string[]> => {
  const minTrust = min_trust === 'user' ? min_trust : 'assistant'
  const [{ anchors }, notes] = await Promise.all([
    identity.anchors(caller, 'model', minTrust),
    project
      ? Promise.all(
          NOTE_TYPES.map((memory_type) =>
            memories.list(caller, { project, memory_type, limit: 50, min_trust: minTrust }),
          ),
        )
      : [],
  ])
  const standing = notes
    .flatMap((page) => page.memories)
    .filter(({ superseded_by }) => superseded_by === null)
    .toSorted((one, other) => (one.memory_id < other.memory_id ? 1 : -1))
    .slice(0, MAX_PROJECT_NOTES)
  return [
    ...anchors.map(
      ({ anchor_key, value, trust }) =>
        `${anchor_key.replaceAll(/[._]/g, ' ')}: ${withTrustNote(value, { trust })};`,
    ),
    ...standing.map(({ content_text, source }) => withTrustNote(content_text, source)),
  ]
}

export const contextRetention = defineRetention({
  name: 'context_given',
  run: ({ query }) => deleteGivenBefore(query, KEPT_DAYS),
})

export const contextRoutes = (mount: Mount, contexts: Pick<ContextService, 'give'>): void => {
  mount(context, ({ caller, body, signal }) => contexts.give(caller, body, signal))
}
