import type { Recall, Recalled, RecalledMemory } from '../../../shared/schemas/memory.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import { languagesOf, loadLanguages, searchable } from '../memories/language.ts'
import { presentMemory } from '../memories/present.ts'
import { datesIn } from './dates.ts'
import type { RecallFilter } from './scope.ts'
import { type Near, recallMemories } from './store.ts'
import { bestOf, tiersOf } from './tiers.ts'

/** Questions are far shorter; what stands beyond this hardly changes what is found. */
const MAX_QUESTION_CHARACTERS = 4_000

/** How many memories a model is asked for, for each one asked for. */
const NEAR_PER_RESULT = 4

type Asker = Pick<Caller, 'userId' | 'ownerId' | 'isForOrg'>

export type RecallService = ReturnType<typeof createRecallService>

/** Finds memories by what they mean, where there is a model for it. */
export type FindNear = (
  ownerId: string,
  question: string,
  filter: RecallFilter,
  limit: number,
) => Promise<Near[]>

export const createRecallService = (database: Database, findNear?: FindNear) => {
  let isWarm = false

  /** What each of the tiers that are asked for has, its best first. */
  const tiers = async (caller: Asker, body: Recall): Promise<RecalledMemory[][]> => {
    const asked = body.query.slice(0, MAX_QUESTION_CHARACTERS)
    const languages = await languagesOf(asked)
    const dates = datesIn(asked, new Date())
    const question = { text: searchable(asked), languages, dates, limit: body.limit }
    const wanted = body.limit * NEAR_PER_RESULT
    return Promise.all(
      tiersOf(caller, body.scope, body.agent_slug).map(async ({ ownerId, agentSlug }) => {
        const filter = { ...filterOf(body), agentSlug }
        const near = await findNear?.(ownerId, asked, filter, wanted)
        const found = await recallMemories(database, ownerId, question, filter, near)
        return found.map(({ memory, score, ...explanation }) => ({
          ...presentMemory(memory),
          score,
          ...(body.explain && { explanation }),
        }))
      }),
    )
  }

  return {
    tiers,

    /** @throws ApiError 422 where an agent's memories are asked for, and no agent is named. */
    async recall(caller: Asker, body: Recall): Promise<Recalled> {
      if (body.scope === 'agent' && !body.agent_slug)
        throw new ApiError(422, [
          { loc: ['body', 'agent_slug'], type: 'missing', msg: 'Field required' },
        ])
      const memories = bestOf(body.scope, await tiers(caller, body), body.limit)
      return { memories, count: memories.length }
    },

    /** Plans the statement and brings its pages into memory. @throws when the database is down. */
    async warm(): Promise<void> {
      const question = { text: 'warm up', languages: [], dates: [], limit: 1 }
      await recallMemories(database, '00000000-0000-0000-0000-000000000000', question, {})
      await loadLanguages()
      isWarm = true
    },

    isWarm: () => isWarm,
  }
}

const filterOf = (body: Recall): Omit<RecallFilter, 'agentSlug'> => ({
  memoryType: body.memory_type ?? undefined,
  tags: body.tags ?? undefined,
  thread: body.thread ?? undefined,
  author: body.author ?? undefined,
  since: iso(body.since),
  until: iso(body.until),
  asOf: iso(body.as_of),
})

const iso = (text: string | null | undefined) =>
  text ? parseInstant(text)?.toISOString() : undefined
