import { MEMORY_TYPES } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { MAX_RECENT_CHANGES, postingRows } from '../memories/index-store.ts'
import { TRUST_RANK } from './filter-store.ts'
import { Flag, type MemoryEntry, type OwnerStats } from './owner-index.ts'

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')

const FLAGS = `asks::int * ${Flag.asks} + ends_asking::int * ${Flag.endsAsking}
  + (superseded_by is null)::int * ${Flag.isLive}
  + (follows_question is true)::int * ${Flag.followsQuestion}
  + (follows_question is not null)::int * ${Flag.isCounted}`

/** Selects a `MemoryEntry` of a memory `m`. */
const ENTRY = `json_build_array(
  m.seq, m.thread_no, coalesce(m.position, 0), m.author, m.agent_slug,
  (extract(epoch from coalesce(m.occurred_at, m.created_at)) * 1000000)::bigint,
  octet_length(m.content_text), ${FLAGS},
  array_position(array[${quoted(MEMORY_TYPES)}], m.memory_type),
  ${TRUST_RANK}
)`

const STATS = `json_build_object('changeCount', s.change_count, 'memoryCount', s.memory_count,
  'wordCount', s.word_count, 'languages', s.languages)`

/** @returns undefined before the owner's first memory. */
export const readOwnerStats = async (
  query: Query,
  ownerId: string,
): Promise<OwnerStats | undefined> => {
  const [row] = await query<{ stats: OwnerStats }>(
    `select ${STATS} as stats from memory_stats s where owner_id = $1`,
    [ownerId],
  )
  return row?.stats
}

/** Pages of an owner's memories, postings and vectors, in the order that an `OwnerIndex` is loaded in. */
export interface OwnerPage {
  ownerId: string
  limit: number
}

const ENTRIES = `
select json_agg(${ENTRY} order by m.seq) as entries from (
  select * from memories
  where owner_id = :ownerId and deleted_at is null and seq > :after order by seq limit :limit
) m`

/** The next memories after one that are not deleted. */
export const readEntries = async (
  query: Query,
  page: OwnerPage & { after: number },
): Promise<MemoryEntry[]> => {
  const [row] = await namedQuery<{ entries: MemoryEntry[] | null }>(query, ENTRIES, { ...page })
  return row?.entries ?? []
}

/** The last posting of a page. */
export interface PostingKey {
  term: string
  seq: string
}

const POSTING_BYTES = 12

const POSTINGS = `
with page as materialized (
  select term, seq, frequency, length from memory_postings
  where owner_id = :ownerId and (term, seq) > (:term, :seq::bigint) order by term, seq limit :limit
),
counted as materialized (select term, count(*) as count from page group by term order by term),
last as materialized (select term, seq from page order by term desc, seq desc limit 1)
select (select json_agg(json_build_array(term, count)) from counted) as terms,
  (select string_agg(int8send(seq) || int2send(frequency) || int2send(length), ''::bytea) from page)
    as postings,
  (select json_build_object('term', term, 'seq', seq::text) from last) as last`

export interface PostingsPage {
  last: PostingKey
  /** Each posting with its term and the length of its memory in words. */
  each(visit: (term: string, seq: number, frequency: number, length: number) => void): void
}

/** The next postings of live memories, in the order of their terms; undefined at the end. */
export const readPostings = async (
  query: Query,
  page: OwnerPage & PostingKey,
): Promise<PostingsPage | undefined> => {
  const [row] = await namedQuery<{
    terms: [term: string, count: number][] | null
    postings: Uint8Array
    last: PostingKey
  }>(query, POSTINGS, { ...page })
  const terms = row?.terms
  if (!terms) return undefined
  const { last, postings } = row
  return {
    last,
    each(visit) {
      const view = new DataView(postings.buffer, postings.byteOffset)
      let at = 0
      for (const [term, count] of terms)
        for (const end = at + count * POSTING_BYTES; at < end; at += POSTING_BYTES)
          visit(term, Number(view.getBigInt64(at)), view.getInt16(at + 8), view.getInt16(at + 10))
    },
  }
}

/** The bytes of a bit string: PostgreSQL sends its length in 4 bytes before them. */
const BITS = 'substring(varbit_send(v.bits) from 5)'

const VECTORS = `
select max(seq) as last, string_agg(int8send(seq), ''::bytea order by seq) as seqs,
  string_agg(${BITS}, ''::bytea order by seq) as bits,
  string_agg(embedding, ''::bytea order by seq) as values
from (
  select seq, bits, embedding from memory_vectors
  where owner_id = :ownerId and model = :model and not is_past and seq > :after
  order by seq limit :limit
) v`

/** Vectors in the order of `seq`, the values of each column one after the other. */
export interface VectorsPage {
  last: number
  seqs: number[]
  bits: Uint8Array
  values: Uint8Array
}

/** The next vectors of live memories after one; undefined at the end. */
export const readVectors = async (
  query: Query,
  page: OwnerPage & { model: number; after: number },
): Promise<VectorsPage | undefined> => {
  type Row = { last: string | null; seqs: Uint8Array; bits: Uint8Array; values: Uint8Array }
  const [row] = await namedQuery<Row>(query, VECTORS, { ...page })
  if (!row?.last) return undefined
  const view = new DataView(row.seqs.buffer, row.seqs.byteOffset)
  const seqs = Array.from({ length: row.seqs.length / 8 }, (_, i) =>
    Number(view.getBigInt64(i * 8)),
  )
  return { last: Number(row.last), seqs, bits: row.bits, values: row.values }
}

const VECTORS_OF = `
select v.seq::float8 as seq, ${BITS} as bits, embedding as values from memory_vectors v
where owner_id = :ownerId and model = :model and not is_past
  and seq in (select value::bigint from jsonb_array_elements_text(:seqs::jsonb))`

/** The vectors of some live memories that have one. */
export const readVectorsOf = async (
  query: Query,
  { seqs, ...owned }: { ownerId: string; model: number; seqs: number[] },
): Promise<{ seq: number; bits: Uint8Array; values: Uint8Array }[]> =>
  namedQuery(query, VECTORS_OF, { ...owned, seqs: JSON.stringify(seqs) })

const AUTHOR_WORDS = `
select json_agg(json_build_array(term, author)) as words from memory_authors where owner_id = $1`

/** The words of the names of authors, each with an author. */
export const readAuthorWords = async (
  query: Query,
  ownerId: string,
): Promise<[word: string, author: string][]> => {
  const [row] = await query<{ words: [string, string][] | null }>(AUTHOR_WORDS, [ownerId])
  return row?.words ?? []
}

/** A memory as it is now. Without an entry it is deleted. */
export interface ChangedMemory {
  seq: number
  entry: MemoryEntry | null
  /** Of a live memory. */
  postings: [term: string, frequency: number, length: number][] | null
  authorWords: string[] | null
  vector: { bits: Uint8Array; values: Uint8Array } | undefined
}

const CHANGES = `
with stats as materialized (select * from memory_stats where owner_id = :ownerId),
changed as materialized (
  select distinct c.seq from stats s
  cross join unnest(s.recent_changes[1 : (s.change_count - :since)::int]) c(seq)
  where s.change_count - :since between 1 and ${MAX_RECENT_CHANGES}
),
current as materialized (
  select m.* from changed c cross join lateral (
    select * from memories where owner_id = :ownerId and seq = c.seq and deleted_at is null limit 1
  ) m
),
live as materialized (select * from current where superseded_by is null),
posted as materialized (
  select memory_id, json_agg(json_build_array(lexeme, frequency, length)) as postings
  from (${postingRows('live')}) p group by memory_id
)
select ${STATS} as stats, c.seq, case when m.seq is not null then ${ENTRY} end as entry, p.postings,
  (select json_agg(lexeme) from unnest(to_tsvector('simple', m.author))) as author_words, v.bits, v.values
from stats s
left join changed c on true
left join current m on m.seq = c.seq
left join posted p on p.memory_id = m.memory_id
left join lateral (
  select ${BITS} as bits, embedding as values from memory_vectors v
  where owner_id = :ownerId and seq = m.seq and model = :model and not is_past limit 1
) v on true`

/**
 * The memories that changed since a number of changes, in one snapshot.
 * @returns undefined when the list of recent changes does not go back that far.
 */
export const readChanges = async (
  query: Query,
  ownerId: string,
  model: number,
  since: number,
): Promise<{ stats: OwnerStats; changes: ChangedMemory[] } | undefined> => {
  type Row = Omit<ChangedMemory, 'seq' | 'authorWords' | 'vector'> & {
    stats: OwnerStats
    seq: string | null
    author_words: string[] | null
    bits: Uint8Array | null
    values: Uint8Array | null
  }
  const rows = await namedQuery<Row>(query, CHANGES, { ownerId, model, since })
  const stats = rows[0]?.stats
  if (!stats || stats.changeCount < since || stats.changeCount - since > MAX_RECENT_CHANGES)
    return undefined
  const changes = rows.flatMap(({ seq, entry, postings, author_words, bits, values }) =>
    seq === null
      ? []
      : {
          seq: Number(seq),
          entry,
          postings,
          authorWords: author_words,
          vector: bits && values ? { bits, values } : undefined,
        },
  )
  return { stats, changes }
}
