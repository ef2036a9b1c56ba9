import type { Trust } from '../../../shared/contract/memories.ts'
import type { Database, Query } from '../../platform/db/database.ts'
import { BY_CHOICE, BY_RULES, factsByRules } from '../facts/engine.ts'
import { CHOICE_SOURCE, chosenFact } from '../facts/sentences.ts'
import { type FactRow, type NewFact, replaceFacts, toNewFact } from '../facts/store.ts'
import type { Actor } from '../memories/actor.ts'
import { insertMemories, type NewMemory } from '../memories/insert-store.ts'
import { contentColumns, labelColumns } from '../memories/new-memory.ts'
import { languagesOn, type ShownMemory } from '../memories/store.ts'
import { lockForSupersession, supersedeConflicting } from '../memories/supersede-store.ts'
import { withTerms } from '../memories/terms.ts'
import type { ConflictChoice } from './conflicts.ts'
import { remainderOf } from './remainder.ts'
import { readFacts, readLosingMemories } from './store.ts'

/** The thread of chosen values that no memory stated. */
const THREAD = 'identity'
const IMPORTANCE = 0.7

/** The choice of a value for a key in conflict. */
interface Resolution {
  ownerId: string
  /** The subjects of the owner's facts about themselves. */
  subjects: string[]
  actor: Actor
  /** That of the user or assistant that chooses. */
  trust: Trust
  /** The owner's time zone. */
  timezone: string
  key: string
  chosen: string
  choice: ConflictChoice
  engines: readonly string[]
}

/** Rolls the transaction back. */
class MemoriesChanged extends Error {}

/**
 * Supersedes the losers by the memory that states the chosen value, or by a new one if none does. The
 * remaining text of each loser becomes a memory of its own.
 * @returns false, without any change, if one of the memories changed since it was read.
 */
export const commitResolution = (database: Database, resolution: Resolution): Promise<boolean> =>
  database
    .transaction(async (query) => {
      const { ownerId, actor, choice } = resolution
      await lockMemories(query, resolution)
      const losers = [...new Set(choice.losers.map(({ memoryId }) => memoryId))]
      const remainders = await remaindersOf(query, resolution, losers)
      const written = await insertWithFacts(query, resolution, [
        ...(choice.winner ? [] : [await choiceRow(resolution)]),
        ...remainders,
      ])
      const winner = choice.winner?.memoryId ?? written[0]?.memoryId
      if (!winner) throw new MemoriesChanged()
      for (const memoryId of losers)
        await supersedeConflicting(query, { ownerId, actor, memoryId, supersedingId: winner })
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof MemoriesChanged) return false
      throw error
    })

/** Locks the memories of the choice. @throws MemoriesChanged if one differs from what was read. */
const lockMemories = async (query: Query, { ownerId, choice }: Resolution): Promise<void> => {
  const involved = [...choice.losers, ...(choice.winner ? [choice.winner] : [])]
  const ids = involved.map(({ memoryId }) => memoryId)
  const states = await lockForSupersession(query, ownerId, ids)
  for (const { memoryId, updatedAt } of involved) {
    const state = states.get(memoryId)
    if (state?.isSuperseded !== false || state.updatedAt.getTime() !== updatedAt.getTime())
      throw new MemoriesChanged()
  }
}

/** The remaining text of the losers as new memories, each text of a thread once. */
const remaindersOf = async (
  query: Query,
  { ownerId, subjects, timezone, key }: Resolution,
  losers: string[],
): Promise<NewMemory[]> => {
  const memories = await readLosingMemories(query, ownerId, losers)
  const facts = await readFacts(query, ownerId, losers)
  const isLost = (fact: FactRow) => fact.key === key && subjects.includes(fact.subject)
  const rows = await Promise.all(
    memories.flatMap((memory) => {
      const own = facts.filter(
        ({ memoryId, quote }) => memoryId === memory.memoryId && memory.contentText.includes(quote),
      )
      const remainder = remainderOf(
        { ...memory, timezone: memory.timezone ?? timezone },
        own.filter(isLost),
        own.filter((fact) => !isLost(fact)),
      )
      return remainder === undefined ? [] : [remainderRow(memory, remainder)]
    }),
  )
  return [...new Map(rows.map((row) => [`${row.thread} ${row.content_hash}`, row])).values()]
}

const baseRow = async (content: string) => ({
  memory_id: Bun.randomUUIDv7(),
  ...(await contentColumns(content)),
  source_kind: CHOICE_SOURCE,
  // Recalls as of an earlier time find the superseded memory.
  valid_from: new Date().toISOString(),
})

/** Keeps the author, thread and time of the loser. */
const remainderRow = async (memory: ShownMemory, content: string): Promise<NewMemory> => ({
  ...(await baseRow(content)),
  memory_type: memory.memoryType,
  importance: memory.importance,
  ...labelColumns(memory.tags, memory.author),
  thread: memory.thread,
  position: memory.position,
  agent_slug: memory.agentSlug,
  project: memory.project,
  timezone: memory.timezone,
  source_ref: memory.memoryId,
  trust: memory.trust,
  metadata: memory.metadata,
  occurred_at: (memory.occurredAt ?? memory.createdAt).toISOString(),
})

const choiceRow = async ({ key, chosen, trust }: Resolution): Promise<NewMemory> => ({
  ...(await baseRow(chosenFact(key, chosen).quote)),
  trust,
  memory_type: 'semantic',
  importance: IMPORTANCE,
  ...labelColumns([], null),
  thread: THREAD,
  position: null,
  agent_slug: null,
  project: null,
  source_ref: key,
  metadata: { anchor_key: key, value: chosen },
  occurred_at: null,
})

/** Stores memories with their facts, so that anchors are current at once; other engines run later. */
const insertWithFacts = async (
  query: Query,
  { ownerId, timezone, key, chosen, choice, engines }: Resolution,
  rows: NewMemory[],
): Promise<ShownMemory[]> => {
  if (rows.length === 0) return []
  const owner = { ownerId, userId: ownerId, orgId: null, timezone }
  const write = { owner, rows: await withTerms(languagesOn(query), ownerId, rows) }
  const [stored = new Map()] = await insertMemories(query, [write], engines)
  if (stored.size < rows.length) throw new MemoriesChanged()
  const written = rows.flatMap((_, index) => stored.get(index) ?? [])
  const fresh = written.filter(({ deduplicated }) => !deduplicated).map(({ memory }) => memory)
  const facts: NewFact[] = []
  for (const memory of fresh) {
    const { memoryId } = memory
    if (!choice.winner && memory === written[0]?.memory)
      facts.push(toNewFact(memoryId, chosenFact(key, chosen), BY_CHOICE))
    else
      for (const fact of await factsByRules({ ...memory, timezone: memory.timezone ?? timezone }))
        facts.push(toNewFact(memoryId, fact, BY_RULES))
  }
  await replaceFacts(query, ownerId, fresh, facts)
  return written.map(({ memory }) => memory)
}
