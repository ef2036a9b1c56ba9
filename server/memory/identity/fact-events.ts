import type { RecordActivity } from '../../account/activity/service.ts'
import type { Query } from '../../platform/db/database.ts'
import type { WritersOf } from '../facts/engine.ts'
import { isSingular, SELF } from '../facts/rules/fact.ts'
import type { FoundFact } from '../facts/store.ts'
import type { MemoryWithThread } from '../memories/store.ts'
import { type ReadableOwner, readableOwners } from '../wall.ts'
import { findConflicts, presentConflict } from './conflicts.ts'
import { listAnchorStatements } from './store.ts'

/** The name that the activity shows for the engines. */
const ENGINES = 'svc'

/** Records the facts and reminders that were found in memories, and the contradictions that they make. */
export const createFactEvents = (
  query: Query,
  { record, writersOf }: { record: RecordActivity; writersOf: WritersOf },
) => {
  /** The contradictions about a user that these memories take part in. */
  const contradictionsOf = async (userId: ReadableOwner, memoryIds: ReadonlySet<string>) => {
    const name = (await writersOf([userId])).get(userId)?.displayName
    const statements = await listAnchorStatements(query, userId, name ? [SELF, name] : [SELF])
    return findConflicts(statements)
      .map(presentConflict)
      .filter(({ values }) => values.some(({ memory_id }) => memoryIds.has(memory_id)))
  }

  return async (
    ownerId: string,
    memories: MemoryWithThread[],
    facts: FoundFact[],
  ): Promise<void> => {
    const userId = memories[0]?.userId
    if (!userId) return
    const actor = { ownerId, userId, keyId: null, client: ENGINES }
    const { reminder = [], other = [] } = Object.groupBy(facts, ({ kind }) =>
      kind === 'reminder' ? 'reminder' : 'other',
    )
    const recordFound = (kind: 'fact.found' | 'reminder.found', found: FoundFact[]): void => {
      const ids = new Set(found.map(({ memory_id }) => memory_id))
      if (found.length)
        record(actor, { kind, memories: [...ids].map((id) => ({ id })), count: found.length })
    }
    recordFound('fact.found', other)
    recordFound('reminder.found', reminder)
    // Contradictions are about a person: an organization has none.
    const stated = facts.filter(({ key }) => isSingular(key))
    const { personal } = readableOwners(actor, 'model')
    if (!personal || stated.length === 0) return
    const conflicts = await contradictionsOf(
      personal,
      new Set(stated.map(({ memory_id }) => memory_id)),
    )
    for (const { anchor_key, values } of conflicts)
      record(actor, {
        kind: 'contradiction.found',
        subject: anchor_key,
        memories: values.map(({ memory_id }) => ({ id: memory_id })),
      })
  }
}
