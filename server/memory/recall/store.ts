import type { Database } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { markedLikeness } from '../feedback/likeness.ts'
import { MARKED_TERMS, type MarkedTerms } from '../feedback/store.ts'
import { SHOWN_COLUMNS, type ShownMemory, shownFromRow } from '../memories/store.ts'
import type { ReadableOwner } from '../wall.ts'
import { filterConditions, type RecallFilter } from './filter-store.ts'
import type { IdRange } from './named-ids.ts'
import type { RecallQuestion } from './question.ts'
import type { QuestionVector } from './vector-search.ts'

/** How many of the best memories by BM25 become candidates: few sizes, so that few plans are kept. */
const TOP_MATCHES = [40, 100, 200]
const TOP_MATCHES_PER_RESULT = 2
/** A question that names more times is read up to here. */
export const MAX_DATES = 4

export const topMatchLimit = (results: number): number => {
  const wanted = results * TOP_MATCHES_PER_RESULT
  return TOP_MATCHES.find((size) => size >= wanted) ?? wanted
}

/** A question to the memories of an owner. */
export interface RecallRequest {
  ownerId: string
  question: RecallQuestion
  /** The vector of the question, as far as it is there in time. */
  vector: Promise<QuestionVector | undefined>
  filter: RecallFilter
}

type Connection = Pick<Database, 'query'>

const MEMORIES = `
select t.thread, marked.marks, ${SHOWN_COLUMNS}
from (select value::bigint as seq from jsonb_array_elements_text(:seqs::jsonb)) r
cross join lateral (
  select * from memories where owner_id = :ownerId and seq = r.seq and deleted_at is null limit 1
) m
left join memory_threads t on t.owner_id = :ownerId and t.thread_no = m.thread_no
cross join lateral (${MARKED_TERMS}) marked`

interface FoundMemory {
  memory: ShownMemory
  /** Of the question to the nearest one that people marked the memory for as not relevant, from 0 to 1. */
  markedLikeness: number
}

/** @returns the memories by their `seq`, without those that were deleted. */
export const readMemories = async (
  { query }: Connection,
  { ownerId, question, seqs }: Pick<RecallRequest, 'ownerId' | 'question'> & { seqs: number[] },
): Promise<Map<number, FoundMemory>> => {
  const rows = await namedQuery<{ marks: MarkedTerms[] | null } & Record<string, unknown>>(
    query,
    MEMORIES,
    { ownerId, seqs: JSON.stringify(seqs) },
  )
  const found = rows.map(async (row): Promise<[number, FoundMemory]> => {
    const likeness = row.marks ? await markedLikeness(question.text, row.marks) : 0
    return [Number(row.seq), { memory: shownFromRow(row), markedLikeness: likeness }]
  })
  return new Map(await Promise.all(found))
}

/** The newest texts up to this total are searched for an exact text. */
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024

/** The memories that are searched for a text. */
export interface TextScope {
  ownerId: string
  filter: RecallFilter
  limit: number
}

/**
 * Memories whose text matches a pattern, newest first. It reads them one by one, so it is for questions
 * that no index finds anything for.
 */
export const findByPattern = async (
  { query }: Connection,
  { ownerId, filter, limit }: TextScope,
  pattern: string,
): Promise<ShownMemory[]> => {
  const { live, filters, values } = filterConditions(filter)
  const rows = await namedQuery(
    query,
    `select m.*, t.thread
    from (
      select m.*, sum(octet_length(content_text)) over (order by seq desc) as bytes
      from memories m where m.owner_id = :ownerId and m.deleted_at is null ${live} ${filters}
    ) m
    left join memory_threads t on t.owner_id = :ownerId and t.thread_no = m.thread_no
    where bytes <= ${MAX_SEARCHED_BYTES} and content_text ~* :pattern
    order by m.seq desc limit :limit`,
    { ...values, ownerId, pattern, limit },
  )
  return rows.map(shownFromRow)
}

/** How many memories the beginning of an id may name: those of one minute share eight digits. */
const MAX_NAMED = 10

/** The memories whose ids begin with these digits, in the order of the ranges and the newest first in each. */
export const findByIds = async (
  { query }: Connection,
  { ownerId, filter }: { ownerId: ReadableOwner; filter: RecallFilter },
  ids: IdRange[],
): Promise<ShownMemory[]> => {
  if (ids.length === 0) return []
  const { live, filters, values } = filterConditions(filter)
  const rows = await namedQuery(
    query,
    `select t.thread, ${SHOWN_COLUMNS}
    from jsonb_array_elements(:ids::jsonb) with ordinality as r(id, place)
    cross join lateral (
      select * from memories m
      where m.owner_id = :ownerId and m.deleted_at is null ${live} ${filters}
        and m.memory_id between (r.id->>'low')::uuid and (r.id->>'high')::uuid
      order by m.memory_id desc limit ${MAX_NAMED}
    ) m
    left join memory_threads t on t.owner_id = :ownerId and t.thread_no = m.thread_no
    order by r.place, m.memory_id desc`,
    { ...values, ownerId, ids: JSON.stringify(ids) },
  )
  return rows.map(shownFromRow)
}
