import { type MemoryFact, type MemoryFacts, memoryFacts } from '../../../shared/contract/facts.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Mount } from '../../platform/http/route.ts'
import { readableTrust } from '../memories/actor.ts'
import type { MemoryService } from '../memories/service.ts'
import { listCurrentFor } from '../memories/succession-store.ts'
import { readableOwners, type WalledCaller } from '../wall.ts'
import { EXTRACTION } from './engine.ts'
import {
  type DueReminder,
  listDueReminders,
  listUntimedReminders,
  listUpcomingReminders,
  type Reminder,
  type ReminderSearch,
} from './reminder-store.ts'
import { SELF } from './rules/fact.ts'
import { type FactRow, hasPendingTask, listFacts } from './store.ts'

export type { Reminder }

/** The user whose facts are read, also when the caller acts in an organization. */
export type FactOwner = WalledCaller &
  Pick<Caller, 'timezone' | 'minTrust'> & {
    me: Pick<Caller['me'], 'display_name'>
  }

/** The subjects of a user's facts about themselves. */
export const subjectsOf = ({ me: { display_name } }: FactOwner): string[] =>
  display_name ? [SELF, display_name] : [SELF]

export type FactService = ReturnType<typeof createFactService>

export const createFactService = (
  { db, query }: Pick<Database, 'db' | 'query'>,
  memories: Pick<MemoryService, 'get'>,
) => {
  /** @param find gets the search; the user's reminders are theirs alone. */
  const remindersOf = async <T>(
    user: FactOwner,
    now: Date,
    find: (query: Query, search: ReminderSearch) => Promise<T[]>,
  ): Promise<T[]> => {
    const { personal } = readableOwners(user, 'person')
    if (!personal) return []
    const trusts = readableTrust(user, 'assistant') ?? []
    const current = [...(await listCurrentFor(query, personal, readableTrust(user))).keys()]
    return find(query, { ownerId: personal, subjects: subjectsOf(user), trusts, current, now })
  }

  return {
    /**
     * The facts of a memory.
     * @throws ApiError 404 for a memory that does not exist or is not the caller's.
     */
    async list(caller: Caller, memoryId: string): Promise<MemoryFacts> {
      const { source } = await memories.get(caller, memoryId)
      // Read first: when the task is finished, its facts are already stored.
      const pending = await hasPendingTask(query, caller.ownerId, EXTRACTION, memoryId)
      const facts = await listFacts(db, caller.ownerId, memoryId)
      return { facts: facts.map((fact) => ({ ...present(fact), trust: source.trust })), pending }
    },

    /** The reminders in the user's memories that are due by `now`. */
    due: (user: FactOwner, now: Date): Promise<DueReminder[]> =>
      remindersOf(user, now, listDueReminders),

    /** The reminders after `now`, next first. */
    upcoming: (user: FactOwner, now: Date): Promise<DueReminder[]> =>
      remindersOf(user, now, listUpcomingReminders),

    /** The reminders that name no time. */
    untimed: (user: FactOwner, now: Date): Promise<Reminder[]> =>
      remindersOf(user, now, listUntimedReminders),
  }
}

const present = (fact: FactRow): Omit<MemoryFact, 'trust'> => ({
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

export const factRoutes = (mount: Mount, facts: FactService): void => {
  mount(memoryFacts, ({ caller, params }) => facts.list(caller, params.memory_id))
}
