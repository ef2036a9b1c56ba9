import type { MemoryFact, MemoryFacts } from '../../../shared/schemas/facts.ts'
import type { Anchors } from '../../../shared/schemas/identity.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { MemoryService } from '../memories/service.ts'
import { anchorsOf } from './anchors.ts'
import { EXTRACTION } from './engine.ts'
import { SELF } from './rules/index.ts'
import { type FactRow, isWaiting, listFacts, listSayings } from './store.ts'

export type FactService = ReturnType<typeof createFactService>

export const createFactService = (database: Database, memories: MemoryService) => ({
  /** @throws ApiError 404 for a memory that is not there or not the caller's. */
  async of(caller: Caller, memoryId: string): Promise<MemoryFacts> {
    await memories.get(caller, memoryId)
    // In this order: an engine that is done in between has left its facts already.
    const pending = await isWaiting(database.query, caller.userId, EXTRACTION, memoryId)
    const facts = await listFacts(database.db, caller.userId, memoryId)
    return { facts: facts.map(present), pending }
  },

  /** What the caller's memories say of them that they have one of at a time. */
  async anchors({ userId, me }: Caller): Promise<Anchors> {
    const subjects = me.display_name ? [SELF, me.display_name] : [SELF]
    const sayings = await listSayings(database.query, userId, subjects)
    return { anchors: anchorsOf(sayings) }
  },
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
