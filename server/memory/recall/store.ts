import type { Database } from '../../platform/db/database.ts'
import { type ComposedStatement, namedQuery } from '../../platform/db/statements.ts'
import { SHOWN_COLUMNS, type ShownMemory, shownFromRow } from '../memories/store.ts'
import type { CandidateSet, MatchBasis, OwnerReading, VectorMatches } from './candidate-set.ts'
import { readCandidateSet, selectCandidateSet } from './candidate-set-store.ts'
import { candidateCtes } from './candidates-store.ts'
import type { DateMention } from './dates.ts'
import { type FilterConditions, filterConditions, type RecallFilter } from './filter-store.ts'
import { queryTermCtes } from './query-terms-store.ts'

/** How many of the best memories by BM25 become candidates: few sizes, so that few plans are kept. */
const TOP_MATCHES = [40, 100, 200]
const TOP_MATCHES_PER_RESULT = 2
/** A question that names more times is read up to here. */
const MAX_DATES = 4

const LIVE_POSTINGS = 'memory_postings'
const ALL_POSTINGS = '(select * from memory_postings union all select * from memory_past_postings)'

export interface RecallQuery {
  text: string
  /** The text search configurations that it may be written in, likeliest first. */
  languages: string[]
  /** The times it names. */
  dates: DateMention[]
  /** The time zone that days begin and end in. */
  timezone: string
  /** In lower case; null: memories without an author. */
  askedAuthors: readonly (string | null)[]
  exactForms: string[]
  /** The facts it asks for. */
  facts: FactQuery
  limit: number
}

export interface FactQuery {
  subjects: string[]
  /** Patterns of LIKE. */
  keys: string[]
}

type Connection = Pick<Database, 'query'>

interface Candidates {
  /** Undefined when the basis of the vector matches is out of date. */
  set: CandidateSet | undefined
  /** Undefined where the matches have no basis, or the owner has no memories. */
  reading: OwnerReading | undefined
}

/** Finds the candidates by exact BM25 over the postings and by vector, with their context. */
export const findCandidates = async (
  { query }: Connection,
  ownerId: string,
  question: RecallQuery,
  filter: RecallFilter,
  { matches, basis }: VectorMatches,
): Promise<Candidates> => {
  const { values, ...conditions } = filterConditions(filter)
  const postings = filter.asOf ? ALL_POSTINGS : LIVE_POSTINGS
  const wanted = question.limit * TOP_MATCHES_PER_RESULT
  const limit = TOP_MATCHES.find((size) => size >= wanted) ?? wanted
  const statement = statementFor(conditions, postings, limit, basis !== undefined)
  const [row] = await namedQuery(query, statement, {
    ...values,
    ownerId,
    question: question.text,
    exactForms: JSON.stringify(question.exactForms),
    languages: JSON.stringify(question.languages),
    dates: JSON.stringify(question.dates.slice(0, MAX_DATES)),
    timezone: question.timezone,
    vectorMatches: JSON.stringify(matches.map(({ seq }) => seq)),
    ...(basis && basisValues(basis)),
    factSubjects: JSON.stringify(question.facts.subjects),
    factKeys: JSON.stringify(question.facts.keys),
  })
  return {
    set: row && (!basis || row.is_current) ? readCandidateSet(row) : undefined,
    reading: (row?.reading ?? undefined) as OwnerReading | undefined,
  }
}

/** Composed once for each combination of filters. */
const statementFor = (
  conditions: Omit<FilterConditions, 'values'>,
  postings: string,
  limit: number,
  isChecked: boolean,
): ComposedStatement => ({
  key: JSON.stringify([conditions.live, conditions.filters, postings, limit, isChecked]),
  compose: () => `
with ${queryTermCtes(postings, isChecked)},
${candidateCtes(conditions, postings, limit, isChecked)}
${selectCandidateSet(isChecked)}`,
})

const basisValues = ({ changeCount, words, names, language }: MatchBasis) => ({
  changeCount,
  words: JSON.stringify(words),
  names: JSON.stringify(names),
  vectorLanguage: language,
})

const MEMORIES = `
select t.thread, ${SHOWN_COLUMNS}
from (select value::bigint as seq from jsonb_array_elements_text(:seqs::jsonb)) r
cross join lateral (
  select * from memories where owner_id = :ownerId and seq = r.seq and deleted_at is null limit 1
) m
left join memory_threads t on t.owner_id = :ownerId and t.thread_no = m.thread_no`

/** @returns the memories by their `seq`, without those that were deleted. */
export const readMemories = async (
  { query }: Connection,
  ownerId: string,
  seqs: number[],
): Promise<Map<number, ShownMemory>> => {
  const rows = await namedQuery(query, MEMORIES, { ownerId, seqs: JSON.stringify(seqs) })
  return new Map(rows.map((row) => [Number(row.seq), shownFromRow(row)]))
}

/** The newest texts up to this total are searched for an exact text. */
const MAX_SEARCHED_BYTES = 32 * 1024 * 1024

/**
 * Memories whose text matches a pattern, newest first. It reads them one by one, so it is for questions
 * that no index finds anything for.
 */
export const findByPattern = async (
  { query }: Connection,
  ownerId: string,
  pattern: string,
  filter: RecallFilter,
  limit: number,
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
