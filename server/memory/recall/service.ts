import { NIL_UUID } from '../../../shared/contract/common.ts'
import type { Recall, RecalledMemory, RecallResult } from '../../../shared/contract/recall.ts'
import type { Database } from '../../platform/db/database.ts'
import { createSteps } from '../../platform/event-loop.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Metrics, RecallPart } from '../../platform/metrics.ts'
import { traced } from '../../platform/telemetry.ts'
import { UTC } from '../../platform/timezone.ts'
import { type NamedEvent, parseNamedEvents, readEventDates } from '../facts/named-events.ts'
import { parseFactQuestion } from '../facts/questions.ts'
import { isoInstant } from '../memories/content.ts'
import { presentMemory } from '../memories/present.ts'
import { extractExactForms } from '../text/exact-forms.ts'
import { detectLanguages, loadLanguageDetector } from '../text/language.ts'
import { toSearchText } from '../text/segmentation.ts'
import { askedAuthors } from './asked-authors.ts'
import type { VectorMatches } from './candidate-set.ts'
import { parseDateMentions } from './dates.ts'
import { recallError } from './errors.ts'
import type { RecallFilter } from './filter-store.ts'
import { recallByText, recallMemories, recallNearest } from './recall.ts'
import { mergeScopes, recallScopes } from './scopes.ts'
import type { RecallQuery } from './store.ts'

/** How many of the nearest memories by vector become candidates, for each result asked for. */
export const VECTOR_MATCHES_PER_RESULT = 4

type RecallCaller = Pick<Caller, 'userId' | 'ownerId' | 'isForOrg' | 'timezone' | 'me'>

export type RecallService = ReturnType<typeof createRecallService>

/** Finds the memories nearest to a question by vector. */
export type SearchVectors = (
  ownerId: string,
  question: { text: string; languages: readonly string[] },
  filter: RecallFilter,
  limit: number,
  isCacheAllowed: boolean,
) => Promise<VectorMatches>

export const createRecallService = (
  database: Database,
  searchVectors: SearchVectors,
  metrics?: Pick<Metrics, 'observeRecall'>,
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

  const recallScopesOf = async (
    caller: RecallCaller,
    body: Recall,
  ): Promise<RecalledMemory[][]> => {
    const { events, ...read } = await timed('question', () => readQuestion(caller, body))
    return Promise.all(
      recallScopes(caller, body.scope, body.agent_slug).map(async ({ ownerId, agentSlug }) => {
        const filter = { ...readFilter(body), agentSlug }
        const eventDates = await readEventDates(
          connection.query,
          ownerId,
          events,
          new Date(),
          read.timezone,
        )
        const question = { ...read, dates: [...read.dates, ...eventDates] }
        const search = (isCacheAllowed: boolean) =>
          timed('vectors', () =>
            searchVectors(
              ownerId,
              { text: body.query, languages: question.languages },
              filter,
              body.limit * VECTOR_MATCHES_PER_RESULT,
              isCacheAllowed,
            ),
          )
        const ranked = await timed('search', () =>
          recallNearest(connection, search, ownerId, question, filter),
        )
        const found = ranked.length
          ? ranked
          : await recallByText(connection, ownerId, body.query, filter, body.limit)
        return found.map(({ memory, score, ...explanation }) => ({
          ...presentMemory(memory),
          score,
          ...(body.explain && { explanation }),
        }))
      }),
    )
  }

  /** The results of each scope that the request names, best first. */
  const recallByScope = (caller: RecallCaller, body: Recall): Promise<RecalledMemory[][]> =>
    database.reads.run(() => recallScopesOf(caller, body))

  return {
    recallByScope,

    /** @throws ApiError 422 when the scope is `agent` and no agent is named. */
    async recall(caller: RecallCaller, body: Recall): Promise<RecallResult> {
      if (body.scope === 'agent' && !body.agent_slug) throw recallError('agent_slug_missing')
      const memories = mergeScopes(body.scope, await recallByScope(caller, body), body.limit)
      return { memories, count: memories.length }
    },

    /** Plans the statement and loads its pages. @throws when the database is down. */
    async warm(): Promise<void> {
      await recallMemories(database, NIL_UUID, WARM_UP, {}, { matches: [] })
      await loadLanguageDetector()
      isWarm = true
    },

    isWarm: () => isWarm,
  }
}

const WARM_UP: RecallQuery = {
  text: 'warm up',
  exactForms: [],
  languages: [],
  dates: [],
  timezone: UTC,
  askedAuthors: [],
  facts: { subjects: [], keys: [] },
  limit: 1,
}

const readQuestion = async (
  caller: RecallCaller,
  { query, limit }: Recall,
): Promise<RecallQuery & { events: NamedEvent[] }> => {
  const step = createSteps()
  const { display_name } = caller.me
  const ownNames = display_name ? [display_name] : []
  return {
    text: await step(toSearchText(query)),
    exactForms: await step(extractExactForms(query)),
    languages: await step(detectLanguages(query)),
    dates: await step(parseDateMentions(query, new Date(), caller.timezone)),
    timezone: caller.timezone,
    askedAuthors: askedAuthors(query, display_name),
    facts: await step(parseFactQuestion(query, ownNames)),
    events: await step(parseNamedEvents(query, ownNames)),
    limit,
  }
}

const readFilter = (body: Recall): Omit<RecallFilter, 'agentSlug'> => ({
  memoryType: body.memory_type ?? undefined,
  tags: body.tags ?? undefined,
  thread: body.thread ?? undefined,
  author: body.author ?? undefined,
  since: isoInstant(body.since) ?? undefined,
  until: isoInstant(body.until) ?? undefined,
  asOf: isoInstant(body.as_of) ?? undefined,
})
