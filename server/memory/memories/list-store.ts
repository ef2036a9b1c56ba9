import { and, count, desc, eq, gt, inArray, isNull, lt, lte, max, not, sql } from 'drizzle-orm'
import type { Trust } from '../../../shared/contract/memories.ts'
import type { MemoryFacets, MemoryOrder } from '../../../shared/contract/memory-lists.ts'
import { foldLabel } from '../../../shared/labels.ts'
import { keysOf, recordOf } from '../../../shared/objects.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TimeBound } from '../../platform/timezone.ts'
import { IN_THREAD, IS_RESTORABLE, type MemoryWithThread, withThread } from './store.ts'
import { type MemoryRow, memories, memoryThreads } from './table.ts'

const HAPPENED = sql`coalesce(${memories.occurredAt}, ${memories.createdAt})`

const happenedFrom = ({ instant, day }: TimeBound) =>
  sql`${HAPPENED} >= case when ${HAPPENED} = date_trunc('day', ${HAPPENED}, 'UTC')
    then ${day}::timestamptz else ${instant}::timestamptz end`

/** Selects the memories of a list. */
export interface MemoryFilter {
  thread?: string | undefined
  memoryType?: MemoryRow['memoryType'] | undefined
  /** The memory has all of them. */
  tags?: string[] | undefined
  author?: string | undefined
  agentSlug?: string | undefined
  project?: string | undefined
  /** The assistant that they were captured from. */
  client?: string | undefined
  /** Only memories with one of these levels of trust. */
  trusts?: Trust[] | undefined
  since?: TimeBound | undefined
  until?: TimeBound | undefined
  /** The deleted memories that can be restored, instead of the others. */
  deleted?: boolean | undefined
  /** Only memories deleted at this time or later. */
  deletedSince?: string | undefined
}

const CLIENT = sql`case when ${memories.captureKey} is not null then ${memories.metadata} ->> 'client' end`

const matches = (ownerId: string, filter: MemoryFilter) =>
  and(
    eq(memories.ownerId, ownerId),
    filter.deleted ? IS_RESTORABLE : isNull(memories.deletedAt),
    filter.deletedSince
      ? sql`${memories.deletedAt} >= ${filter.deletedSince}::timestamptz`
      : undefined,
    filter.thread ? eq(memoryThreads.thread, filter.thread) : undefined,
    filter.memoryType ? eq(memories.memoryType, filter.memoryType) : undefined,
    filter.tags
      ? sql`coalesce(${memories.foldedTags}, ${memories.tags}) @> ${sql.param(filter.tags.map(foldLabel), memories.tags)}`
      : undefined,
    filter.author
      ? sql`coalesce(${memories.foldedAuthor}, ${memories.author}) = ${foldLabel(filter.author)}`
      : undefined,
    filter.agentSlug ? eq(memories.agentSlug, filter.agentSlug) : undefined,
    // A name may stand for the project that it was merged into.
    filter.project
      ? sql`${memories.project} = coalesce((select a.project from memory_project_aliases a
          where a.owner_id = ${ownerId} and a.alias = ${filter.project}), ${filter.project})`
      : undefined,
    filter.client ? sql`${CLIENT} = ${filter.client}` : undefined,
    filter.trusts ? inArray(memories.trust, filter.trusts) : undefined,
    filter.since ? happenedFrom(filter.since) : undefined,
    filter.until ? not(happenedFrom(filter.until)) : undefined,
  )

/** The keys of the index `memories_time`. */
const BY_EVENT = [HAPPENED, memories.seq] as const

const isBefore = (sort: MemoryOrder, ownerId: string, memoryId: string) =>
  sort === 'stored'
    ? lt(memories.memoryId, memoryId)
    : sql`(${HAPPENED}, ${memories.seq}) < (
        select coalesce(l.occurred_at, l.created_at), l.seq from memories l
        where l.owner_id = ${ownerId} and l.memory_id = ${memoryId})`

/** Newest first; `before` is the last memory of the previous page. */
export const listMemories = async (
  db: Db,
  ownerId: string,
  {
    sort,
    before,
    limit,
    ...filter
  }: MemoryFilter & { sort: MemoryOrder; before?: string | undefined; limit: number },
): Promise<MemoryWithThread[]> => {
  const rows = await withThread(db)
    .where(and(matches(ownerId, filter), before ? isBefore(sort, ownerId, before) : undefined))
    .orderBy(...(sort === 'stored' ? [desc(memories.memoryId)] : BY_EVENT.map((key) => desc(key))))
    .limit(limit)
  return rows.map((row) => ({ ...row.memory, thread: row.thread }))
}

/** How many memories match, and the `seq` of the last one. */
export const countMatching = async (
  db: Db,
  ownerId: string,
  filter: MemoryFilter,
): Promise<{ count: number; lastSeq: number }> => {
  const [row] = await db
    .select({ count: count(), lastSeq: max(memories.seq) })
    .from(memories)
    .leftJoin(memoryThreads, IN_THREAD)
    .where(matches(ownerId, filter))
  return { count: row?.count ?? 0, lastSeq: row?.lastSeq ?? 0 }
}

/** The ids of memories that match, in their order. */
export const listMatching = async (
  db: Db,
  ownerId: string,
  filter: MemoryFilter,
  {
    limit,
    after,
    lastSeq,
  }: { limit: number; after: string | undefined; lastSeq: number | undefined },
): Promise<string[]> => {
  const rows = await db
    .select({ memoryId: memories.memoryId })
    .from(memories)
    .leftJoin(memoryThreads, IN_THREAD)
    .where(
      and(
        matches(ownerId, filter),
        after === undefined ? undefined : gt(memories.memoryId, after),
        lastSeq === undefined ? undefined : lte(memories.seq, lastSeq),
      ),
    )
    .orderBy(memories.memoryId)
    .limit(limit)
  return rows.map(({ memoryId }) => memoryId)
}

const FACETS = {
  memory_type: sql`select memory_type as value, memory_type as label, seq from matching`,
  trust: sql`select trust as value, trust as label, seq from matching`,
  tag: sql`select v.value, v.label, seq from matching, unnest(tags, coalesce(folded_tags, tags)) as v(value, label)`,
  author: sql`select author as value, coalesce(folded_author, author) as label, seq from matching`,
  thread: sql`select thread as value, thread as label, seq from matching`,
  agent_slug: sql`select agent_slug as value, agent_slug as label, seq from matching`,
  project: sql`select project as value, project as label, seq from matching`,
  client: sql`select client as value, client as label, seq from matching`,
}

/** The most frequent values of the memories that match, each label in the spelling of its first use, at most `limit` of each kind. */
export const countFacets = async (
  db: Db,
  ownerId: string,
  limit: number,
  filter: MemoryFilter,
): Promise<MemoryFacets> => {
  const parts = Object.entries(FACETS).map(
    ([name, values]) => sql`select ${name}::text as facet, value, count from (
      select (array_agg(s.value order by s.first))[1] as value, sum(s.count)::int as count from (
        select v.label, v.value, count(*) as count, min(v.seq) as first from (${values}) v
        where v.value is not null group by 1, 2) s
      group by s.label order by 2 desc, 1 limit ${limit}) f`,
  )
  const rows = (await db.execute(sql`
    with matching as materialized (
      select ${memories.seq}, ${memories.memoryType}, ${memories.trust}, ${memories.tags},
        ${memories.foldedTags}, ${memories.author}, ${memories.foldedAuthor}, ${memories.agentSlug},
        ${memories.project},
        ${memoryThreads.thread}, ${CLIENT} as client
      from ${memories} left join ${memoryThreads} on ${IN_THREAD}
      where ${matches(ownerId, filter)})
    select 'total' as facet, null as value, count(*)::int as count from matching
    union all ${sql.join(parts, sql` union all `)}`)) as unknown as FacetRow[]
  const of = (facet: string) =>
    rows
      .filter((row) => row.facet === facet)
      .map(({ value, count }) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return {
    total: rows.find(({ facet }) => facet === 'total')?.count ?? 0,
    ...recordOf(keysOf(FACETS), of),
  }
}

interface FacetRow {
  facet: string
  value: string
  count: number
}
