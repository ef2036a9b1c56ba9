import { NIL_UUID } from '../../../shared/contract/common.ts'
import {
  DEFAULT_RECALL_LIMIT,
  type Explanation,
  MAX_RECALL_LIMIT,
  type Recall,
  type RecalledMemory,
  type RecallResult,
  recall,
} from '../../../shared/contract/recall.ts'
import type { RecordActivity } from '../../account/activity/service.ts'
import type { ActivityMemoryRef } from '../../account/activity/table.ts'
import type { Database } from '../../platform/db/database.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { Metrics, RecallPart } from '../../platform/metrics.ts'
import { traced } from '../../platform/telemetry.ts'
import { UTC } from '../../platform/timezone.ts'
import { presentVisible } from '../memories/present.ts'
import { listVisibleSuccessions, type VisibleSuccession } from '../memories/succession-store.ts'
import { findProject } from '../projects/store.ts'
import { detectLanguages } from '../text/language.ts'
import type { ReadableOwner, ReaderKind } from '../wall.ts'
import { recallAsText, recallWithin } from './budget.ts'
import type { RecallFilter } from './filter-store.ts'
import type { SearchIndex } from './index-search.ts'
import { namedIds } from './named-ids.ts'
import {
  type FactReader,
  type LimitedRecall,
  type RecallCaller,
  type RecallQuestion,
  readFilter,
  readQuestion,
} from './question.ts'
import { namedFirst, rankFound, recallByText, type ScoredMemory } from './recall.ts'
import { mergeScopes, recallScopes } from './scopes.ts'
import { findByIds } from './store.ts'
import type { EmbedQuestion, QuestionVector } from './vector-search.ts'

export const recallError = defineErrors({
  agent_slug_missing: {
    status: 422,
    detail: [{ loc: ['body', 'agent_slug'], type: 'missing', msg: 'Field required' }],
  },
})

/** A recalled memory, with how much of the question it matches and how similar it is, which the API does not show. */
export type RankedMemory = Omit<RecalledMemory, 'explanation'> & {
  match: number
  /** The cosine similarity to the question; undefined without a vector. */
  similarity: number | undefined
  explanation: Explanation
}

interface RecallScope {
  ownerId: ReadableOwner
  filter: RecallFilter
  successions: ReadonlyMap<string, VisibleSuccession>
}

interface RecallDeps {
  embedQuestion: EmbedQuestion
  searchIndex: SearchIndex
  facts: FactReader
  metrics?: Pick<Metrics, 'observeRecall'> | undefined
  record: RecordActivity
}

export type RecallService = ReturnType<typeof createRecallService>

export const createRecallService = (
  database: Database,
  { embedQuestion, searchIndex, facts, metrics, record }: RecallDeps,
) => {
  let isWarm = false
  const connection = { query: database.reads.query }

  const timed = <T>(part: RecallPart, work: () => Promise<T>): Promise<T> =>
    traced(`recall ${part}`, {}, async () => {
      const start = performance.now()
      const result = await work()
      metrics?.observeRecall(part, performance.now() - start)
      return result
    })

  /** Names of projects that were merged stand for the project that they were merged into. */
  const withProjects = async (ownerId: string, filter: RecallFilter): Promise<RecallFilter> => {
    const find = (name: string) => findProject(connection.query, ownerId, name)
    const { project, inProjects } = filter
    return {
      ...filter,
      project: project && (await find(project)),
      inProjects: inProjects && (await Promise.all(inProjects.map(find))),
    }
  }

  const scopeOf = async (ownerId: ReadableOwner, given: RecallFilter): Promise<RecallScope> => {
    const [successions, filter] = await Promise.all([
      listVisibleSuccessions(connection.query, ownerId, given.trusts),
      withProjects(ownerId, given),
    ])
    const current = [...successions.values()].flatMap(({ seq, successor }) =>
      successor ? [] : [seq],
    )
    return {
      ownerId,
      filter: { ...filter, current: current.length ? current : undefined },
      successions,
    }
  }

  const searchScope = async (
    { query, limit }: LimitedRecall,
    { ownerId, filter, successions }: RecallScope,
    { events, ...read }: Awaited<ReturnType<typeof readQuestion>>,
    vector: Promise<QuestionVector | undefined>,
  ): Promise<ScoredMemory[]> => {
    const { userId, timezone } = read
    const current = [...successions].flatMap(([id, { successor }]) => (successor ? [] : [id]))
    const context = { ownerId, userId, trusts: filter.trusts, current, now: new Date(), timezone }
    const eventDates = await facts.readEventDates(connection.query, events, context)
    const question = { ...read, dates: [...read.dates, ...eventDates] }
    const request = { ownerId, question, filter, vector }
    const ranked = await timed('search', async () =>
      rankFound(connection, request, await searchIndex(request)),
    )
    return ranked.length ? ranked : recallByText(connection, { ownerId, filter, limit }, query)
  }

  const recallScopesOf = async (
    caller: RecallCaller,
    body: LimitedRecall,
    reader: ReaderKind,
  ): Promise<RankedMemory[][]> => {
    // The vector is computed in another process, while this one reads the question.
    const languages = detectLanguages(body.query)
    const vector = timed('vectors', () => embedQuestion(body.query, languages))
    const read = await timed('question', () => readQuestion(caller, { ...body, languages }, facts))
    const selection = { reader, mode: body.scope, agentSlug: body.agent_slug }
    const scopes = await Promise.all(
      recallScopes(caller, selection).map(({ ownerId, agentSlug }) =>
        scopeOf(ownerId, { ...readFilter(caller, body), agentSlug }),
      ),
    )
    const successions = new Map(scopes.flatMap((scope) => [...scope.successions]))
    const ids = namedIds(body.query)
    const [named, found] = await Promise.all([
      Promise.all(scopes.map((scope) => findByIds(connection, scope, ids))),
      Promise.all(scopes.map((scope) => searchScope(body, scope, read, vector))),
    ])
    return namedFirst(found, named.flat(), body.limit).map((scope) =>
      scope.map(({ memory, score, match, similarity, ...explanation }) => ({
        ...presentVisible(memory, successions),
        score,
        match,
        similarity,
        explanation,
      })),
    )
  }

  /**
   * The results of each scope that the request names, best first. Those of other projects than the one that the question
   * is asked in are for a question that nothing else answers.
   */
  const recallByScope = (
    caller: RecallCaller,
    body: LimitedRecall,
    reader: ReaderKind,
  ): Promise<RankedMemory[][]> =>
    database.reads.run(async () => {
      const found = await recallScopesOf(caller, body, reader)
      return body.in_project && !found.some((scope) => scope.length)
        ? recallScopesOf(caller, { ...body, in_project: null }, reader)
        : found
    })

  return {
    /**
     * Recalls what a model is shown: in an organization, only memories of the organization.
     * @returns the results of each scope that the request names, best first.
     */
    recallForModel: (caller: RecallCaller, body: LimitedRecall): Promise<RankedMemory[][]> =>
      recallByScope(caller, body, 'model'),

    /** Recalls for the caller alone. @throws ApiError 422 when the scope is `agent` and no agent is named. */
    async recall(caller: RecallCaller, body: Recall): Promise<RecallResult> {
      if (body.scope === 'agent' && !body.agent_slug) throw recallError('agent_slug_missing')
      const { max_tokens, format } = body
      const startedAt = performance.now()
      const limit = body.limit ?? (max_tokens ? MAX_RECALL_LIMIT : DEFAULT_RECALL_LIMIT)
      const found = await recallByScope(caller, { ...body, limit }, 'person')
      const tookMs = performance.now() - startedAt
      const ranked = mergeScopes(body.scope, found, limit)
      const memories = ranked.map(
        ({ match: _match, similarity: _similarity, explanation, ...memory }) => ({
          ...memory,
          ...(body.explain && { explanation }),
        }),
      )
      const result = await (format === 'text'
        ? recallAsText(memories, body, caller.timezone)
        : max_tokens
          ? recallWithin(memories, max_tokens)
          : { memories, count: memories.length })
      const returned = new Set(
        result.memory_ids ?? result.memories.map(({ memory_id }) => memory_id),
      )
      record(caller, {
        kind: 'recall',
        question: body.query,
        memories: ranked
          .filter(({ memory_id }) => returned.has(memory_id))
          // The members of an organization read its activity.
          .filter(({ org_id }) => (org_id ?? caller.userId) === caller.ownerId)
          .map(asRecorded),
        tookMs,
      })
      return result
    },

    /** Searches nothing once. @throws when the database is down. */
    async warm(): Promise<void> {
      const vector = Promise.resolve(undefined)
      await searchIndex({ ownerId: NIL_UUID, question: WARM_UP, filter: {}, vector })
      isWarm = true
    },

    isWarm: () => isWarm,
  }
}

/** A recalled memory in the record of the activity. */
export const asRecorded = ({
  memory_id: id,
  score,
  explanation,
}: Pick<RecalledMemory, 'memory_id' | 'score' | 'explanation'>): ActivityMemoryRef => ({
  id,
  score,
  ...(explanation && { explanation }),
})

const WARM_UP: RecallQuestion = {
  userId: NIL_UUID,
  text: 'warm up',
  exactForms: [],
  isExact: false,
  wordCount: 2,
  languages: [],
  dates: [],
  timezone: UTC,
  askedAuthors: [],
  facts: { subjects: [], keys: [] },
  limit: 1,
}

export const recallRoutes = (mount: Mount, recalls: RecallService): void => {
  // A recall that fails inside returns no memories, also when the credentials cannot be checked.
  mount(recall, ({ caller, body }) => recalls.recall(caller, body), { memories: [], count: 0 })
}
