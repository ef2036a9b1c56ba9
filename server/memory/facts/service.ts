import type { MemoryFact, MemoryFacts } from '../../../shared/schemas/facts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { MemoryService } from '../memories/service.ts'
import { EXTRACTION } from './engine.ts'
import { listDue, listUntimed, type Reminder } from './reminders.ts'
import { SELF } from './rules/index.ts'
import { type FactRow, isWaiting, listFacts } from './store.ts'

export type { Reminder }

/** Whose facts they are: a person's, also where they act in an organization. */
export type Person = Pick<Caller, 'userId' | 'timezone'> & {
  me: Pick<Caller['me'], 'display_name'>
}

/** The names under which somebody speaks of themselves. */
export const subjectsOf = ({ me: { display_name } }: Person): string[] =>
  display_name ? [SELF, display_name] : [SELF]

export type FactService = ReturnType<typeof createFactService>

export const createFactService = (database: Database, memories: MemoryService) => ({
  /** @throws ApiError 404 for a memory that is not there or not the caller's. */
  async of(caller: Caller, memoryId: string): Promise<MemoryFacts> {
    await memories.get(caller, memoryId)
    // In this order: an engine that is done in between has left its facts already.
    const pending = await isWaiting(database.query, caller.ownerId, EXTRACTION, memoryId)
    const facts = await listFacts(database.db, caller.ownerId, memoryId)
    return { facts: facts.map(present), pending }
  },

  /** What the caller's memories ask to be reminded of, as far as it is due by `now`. */
  due: (person: Person, now: Date): Promise<(Reminder & { dueAt: Date })[]> =>
    listDue(database.query, person.userId, subjectsOf(person), now, person.timezone),

  /** The same of what they name no time for. */
  untimed: (person: Person, now: Date): Promise<Reminder[]> =>
    listUntimed(database.query, person.userId, subjectsOf(person), now),
})

const present = (fact: FactRow): MemoryFact => ({
  fact_id: fact.factId,
  kind: fact.kind,
  subject: fact.subject,
  key: fact.key,
  value: fact.value,
  polarity: fact.isLiked === null ? null : fact.isLiked ? 'like' : 'dislike',
  due_at: fact.dueAt?.toISOString() ?? null,
  quote: fact.quote,
  extracted_by: fact.extractedBy,
})
