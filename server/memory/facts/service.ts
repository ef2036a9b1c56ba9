import type { MemoryFact, MemoryFacts } from '../../../shared/contract/facts.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { MemoryService } from '../memories/service.ts'
import { EXTRACTION } from './engine.ts'
import {
  listDueReminders,
  listUntimedReminders,
  listUpcomingReminders,
  type Reminder,
} from './reminder-store.ts'
import { SELF } from './rules/index.ts'
import { type FactRow, hasPendingTask, listFacts } from './store.ts'

export type { Reminder }

/** The user whose facts are read, also when the caller acts in an organization. */
export type FactOwner = Pick<Caller, 'userId' | 'timezone'> & {
  me: Pick<Caller['me'], 'display_name'>
}

/** The subjects of a user's facts about themselves. */
export const subjectsOf = ({ me: { display_name } }: FactOwner): string[] =>
  display_name ? [SELF, display_name] : [SELF]

export type FactService = ReturnType<typeof createFactService>

export const createFactService = (database: Database, memories: MemoryService) => ({
  /** @throws ApiError 404 for a memory that does not exist or is not the caller's. */
  async list(caller: Caller, memoryId: string): Promise<MemoryFacts> {
    await memories.get(caller, memoryId)
    // Read first: when the task is finished, its facts are already stored.
    const pending = await hasPendingTask(database.query, caller.ownerId, EXTRACTION, memoryId)
    const facts = await listFacts(database.db, caller.ownerId, memoryId)
    return { facts: facts.map(present), pending }
  },

  /** The reminders in the user's memories that are due by `now`. */
  due: (user: FactOwner, now: Date): Promise<(Reminder & { dueAt: Date })[]> =>
    listDueReminders(database.query, user.userId, subjectsOf(user), now, user.timezone),

  /** The reminders after `now`, next first. */
  upcoming: (user: FactOwner, now: Date): Promise<(Reminder & { dueAt: Date })[]> =>
    listUpcomingReminders(database.query, user.userId, subjectsOf(user), now, user.timezone),

  /** The reminders that name no time. */
  untimed: (user: FactOwner, now: Date): Promise<Reminder[]> =>
    listUntimedReminders(database.query, user.userId, subjectsOf(user), now),
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
