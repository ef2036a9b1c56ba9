import { type Database, fromRow, type Query } from '../../platform/db/database.ts'
import { CHOICE_SOURCE, chosenFact } from '../facts/chosen.ts'
import { BY_CHOICE, BY_RULES, byRules } from '../facts/engine.ts'
import { type FactRow, type NewFact, newFact, replaceFacts } from '../facts/store.ts'
import { memoryFacts } from '../facts/table.ts'
import { type Actor, lockForSupersession, settleMemory } from '../memories/change.ts'
import { contentColumns } from '../memories/content.ts'
import { insertMemories, type NewMemory, type StoredMemory } from '../memories/insert.ts'
import { type MemoryWithThread, withName } from '../memories/store.ts'
import type { Choice } from './conflicts.ts'
import { restOf } from './rest.ts'

/** Choices that no memory stated before are kept together. */
const THREAD = 'identity'
const IMPORTANCE = 0.7

/** Who settles what, and with what. */
export interface Settlement {
  ownerId: string
  /** Under which names the owner speaks of themselves. */
  subjects: string[]
  actor: Actor
  /** Where the owner is. */
  timezone: string
  key: string
  chosen: string
  choice: Choice
  engines: readonly string[]
}

/** Thrown to take the transaction back. */
class Changed extends Error {}

/**
 * Lets the memory that states what was chosen take the places of those that contradict it. Where none
 * does, one is written; and of each that gives way, what it says besides.
 * @returns false when one of them is not as it was read any more, and nothing was done.
 */
export const settle = (database: Database, settlement: Settlement): Promise<boolean> =>
  database
    .transaction(async (query) => {
      const { ownerId, actor, choice } = settlement
      await holdAll(query, settlement)
      const losers = [...new Set(choice.losers.map(({ memoryId }) => memoryId))]
      const rests = await restsOf(query, settlement, losers)
      const written = await write(query, settlement, [
        ...(choice.winner ? [] : [await statementRow(settlement)]),
        ...rests,
      ])
      const winner = choice.winner?.memoryId ?? written[0]?.memoryId
      if (!winner) throw new Changed()
      for (const loser of losers) await settleMemory(query, ownerId, actor, loser, winner)
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof Changed) return false
      throw error
    })

/** Locks all whose places change, as they were read. */
const holdAll = async (query: Query, { ownerId, choice }: Settlement): Promise<void> => {
  const involved = [...choice.losers, ...(choice.winner ? [choice.winner] : [])]
  const ids = involved.map(({ memoryId }) => memoryId)
  const standing = await lockForSupersession(query, ownerId, ids)
  for (const { memoryId, updatedAt } of involved) {
    const now = standing.get(memoryId)
    if (now?.isSuperseded !== false || now.updatedAt.getTime() !== updatedAt.getTime())
      throw new Changed()
  }
}

const READ = `
select m.*, t.thread from memories m
left join memory_threads t on t.owner_id = $1 and t.thread_no = m.thread_no
where m.owner_id = $1 and m.memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))`

const READ_FACTS = `
select * from memory_facts
where owner_id = $1 and memory_id in (select value::uuid from jsonb_array_elements_text($2::jsonb))`

/** What the losers say besides, as memories in their places; the same only once. */
const restsOf = async (
  query: Query,
  { ownerId, subjects, timezone, key }: Settlement,
  losers: string[],
): Promise<NewMemory[]> => {
  const params = [ownerId, JSON.stringify(losers)]
  const memories = (await query(READ, params)).map(withName)
  const facts = (await query(READ_FACTS, params)).map((row) => fromRow(memoryFacts, row))
  const isLost = (fact: FactRow) => fact.key === key && subjects.includes(fact.subject)
  const rows = await Promise.all(
    memories.flatMap((memory) => {
      const own = facts.filter(
        ({ memoryId, quote }) => memoryId === memory.memoryId && memory.contentText.includes(quote),
      )
      const rest = restOf(
        { ...memory, timezone },
        own.filter(isLost),
        own.filter((fact) => !isLost(fact)),
      )
      return rest === undefined ? [] : [restRow(memory, rest)]
    }),
  )
  return [...new Map(rows.map((row) => [`${row.thread} ${row.content_hash}`, row])).values()]
}

const rowOf = async (content: string) => ({
  memory_id: Bun.randomUUIDv7(),
  ...(await contentColumns(content)),
  source_kind: CHOICE_SOURCE,
  // As of before, the memory that it was part of is found.
  valid_from: new Date().toISOString(),
})

/** It was said when the whole was, by whoever said that. */
const restRow = async (memory: MemoryWithThread, rest: string): Promise<NewMemory> => ({
  ...(await rowOf(rest)),
  memory_type: memory.memoryType,
  importance: memory.importance,
  tags: memory.tags,
  thread: memory.thread,
  position: memory.position,
  author: memory.author,
  agent_slug: memory.agentSlug,
  source_ref: memory.memoryId,
  metadata: memory.metadata,
  occurred_at: (memory.occurredAt ?? memory.createdAt).toISOString(),
})

const statementRow = async ({ key, chosen }: Settlement): Promise<NewMemory> => ({
  ...(await rowOf(chosenFact(key, chosen).quote)),
  memory_type: 'semantic',
  importance: IMPORTANCE,
  tags: [],
  thread: THREAD,
  position: null,
  author: null,
  agent_slug: null,
  source_ref: key,
  metadata: { anchor_key: key, value: chosen },
  occurred_at: null,
})

/** Stores memories with the facts that anchors are made of at once; the engines look at them later. */
const write = async (
  query: Query,
  { ownerId, timezone, key, chosen, choice, engines }: Settlement,
  rows: NewMemory[],
): Promise<MemoryWithThread[]> => {
  if (rows.length === 0) return []
  const stored = await insertMemories(
    query,
    { ownerId, userId: ownerId, orgId: null },
    rows,
    engines,
  )
  if (stored.size < rows.length) throw new Changed()
  const written = rows.map((_, index) => stored.get(index) as StoredMemory)
  const fresh = written.filter(({ deduplicated }) => !deduplicated).map(({ memory }) => memory)
  const facts = fresh.flatMap((memory): NewFact[] =>
    !choice.winner && memory === written[0]?.memory
      ? [newFact(memory.memoryId, chosenFact(key, chosen), BY_CHOICE)]
      : byRules({ ...memory, timezone }).map((fact) => newFact(memory.memoryId, fact, BY_RULES)),
  )
  const ids = fresh.map(({ memoryId }) => memoryId)
  await replaceFacts(query, ownerId, ids, facts)
  return written.map(({ memory }) => memory)
}
