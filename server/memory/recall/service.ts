import type { Recall, Recalled } from '../../../shared/schemas/memory.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import { languagesOf, loadLanguages, searchable } from '../memories/language.ts'
import { presentMemory } from '../memories/present.ts'
import { datesIn } from './dates.ts'
import type { RecallFilter } from './scope.ts'
import { type Near, recallMemories } from './store.ts'

/** Questions are far shorter; what stands beyond this hardly changes what is found. */
const MAX_QUESTION_CHARACTERS = 4_000

/** How many memories a model is asked for, for each one asked for. */
const NEAR_PER_RESULT = 4

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
  return {
    async recall(caller: Caller, body: Recall): Promise<Recalled> {
      const asked = body.query.slice(0, MAX_QUESTION_CHARACTERS)
      const languages = await languagesOf(asked)
      const text = searchable(asked)
      const filter = filterOf(body)
      const wanted = body.limit * NEAR_PER_RESULT
      const near = await findNear?.(caller.userId, asked, filter, wanted)
      const found = await recallMemories(
        database,
        caller.userId,
        { text, languages, dates: datesIn(asked, new Date()), limit: body.limit },
        filter,
        near,
      )
      const memories = found.map(({ memory, score, ...explanation }) => ({
        ...presentMemory(memory),
        score,
        ...(body.explain && { explanation }),
      }))
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

const filterOf = (body: Recall): RecallFilter => ({
  memoryType: body.memory_type ?? undefined,
  tags: body.tags ?? undefined,
  thread: body.thread ?? undefined,
  author: body.author ?? undefined,
  agentSlug: body.agent_slug ?? undefined,
  since: iso(body.since),
  until: iso(body.until),
  asOf: iso(body.as_of),
})

const iso = (text: string | null | undefined) =>
  text ? parseInstant(text)?.toISOString() : undefined
