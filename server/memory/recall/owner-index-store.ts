import { MEMORY_TYPES } from '../../../shared/contract/memories.ts'
import type { Query } from '../../platform/db/database.ts'
import { namedQuery } from '../../platform/db/statements.ts'
import { createPacer, mapYielding } from '../../platform/event-loop.ts'
import { termsOf } from '../memories/terms.ts'
import { filterConditions, type RecallFilter, TRUST_RANK } from './filter-store.ts'
import { Flag, type MemoryEntry, type OwnerStats } from './owner-index.ts'
import { RecordReader } from './record-reader.ts'

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')

const FLAGS = `asks::int * ${Flag.asks} + ends_asking::int * ${Flag.endsAsking}
  + (superseded_by is null)::int * ${Flag.isLive}
  + (follows_question is true)::int * ${Flag.followsQuestion}
  + (follows_question is not null)::int * ${Flag.isCounted}`

/** Selects the values of a memory `m` as `entriesOf` reads them. */
const ENTRY = `record_send(row(
  m.seq, m.thread_no, m.position, m.author, m.agent_slug, m.project, coalesce(m.occurred_at, m.created_at),
  octet_length(m.content_text), ${FLAGS},
  array_position(array[${quoted(MEMORY_TYPES)}], m.memory_type),
  ${TRUST_RANK}, m.terms,
  m.language, case when m.terms is null then m.content_text end
))`

const ENCODER = new TextEncoder()
const NO_TERMS = new Uint8Array(0)

/** Reads memories, and analyzes those that an earlier version wrote. */
const entriesOf = async (records: Uint8Array | null): Promise<MemoryEntry[]> => {
  const entries: MemoryEntry[] = []
  const pacer = createPacer()
  const reader = new RecordReader(records ?? new Uint8Array(0))
  while (reader.next()) {
    const entry: MemoryEntry = [
      reader.number(),
      reader.number(),
      reader.number(),
      reader.text(),
      reader.text(),
      reader.text(),
      reader.time(),
      reader.number(),
      reader.number(),
      reader.number(),
      reader.number(),
      reader.utf8() ?? NO_TERMS,
    ]
    const [language, content] = [reader.text() ?? '', reader.text()]
    if (content !== null)
      entry[11] = ENCODER.encode(await termsOf({ terms: null, language, content }))
    entries.push(entry)
    if (pacer.isDue()) await pacer.yield()
  }
  return entries
}

const STATS = `json_build_object('changeCount', s.change_count, 'memoryCount', s.memory_count,
  'languages', s.languages)`

/** The statistics of owners, in their order; undefined before the first memory. */
export const readOwnerStats = async (
  query: Query,
  ownerIds: readonly string[],
): Promise<(OwnerStats | undefined)[]> => {
  const rows = await query<{ owner_id: string; stats: OwnerStats }>(
    `select owner_id, ${STATS} as stats from memory_stats s where owner_id = any($1::uuid[])`,
    [ownerIds],
  )
  const found = new Map(rows.map(({ owner_id, stats }) => [owner_id, stats]))
  return ownerIds.map((ownerId) => found.get(ownerId))
}

/** Pages of an owner's memories and vectors, in the order that an `OwnerIndex` is loaded in. */
export interface OwnerPage {
  ownerId: string
  limit: number
}

const ENTRIES = `
select string_agg(${ENTRY}, ''::bytea) as entries from (
  select * from memories
  where owner_id = :ownerId and deleted_at is null and seq > :after order by seq limit :limit
) m`

/** The next memories after one that are not deleted. */
export const readEntries = async (
  query: Query,
  page: OwnerPage & { after: number },
): Promise<MemoryEntry[]> => {
  const [row] = await namedQuery<{ entries: Uint8Array | null }>(query, ENTRIES, { ...page })
  return entriesOf(row?.entries ?? null)
}

/** The bytes of a bit string: PostgreSQL sends its length in 4 bytes before them. */
const BITS = 'substring(varbit_send(v.bits) from 5)'

const VECTORS = `
select max(seq) as last, string_agg(int8send(seq), ''::bytea order by seq) as seqs,
  string_agg(${BITS}, ''::bytea order by seq) as bits,
  string_agg(embedding, ''::bytea order by seq) as values
from (
  select seq, bits, embedding from memory_vectors
  where owner_id = :ownerId and model = :model and seq > :after
  order by seq limit :limit
) v`

/** Vectors in the order of `seq`, the values of each column one after the other. */
export interface VectorsPage {
  last: number
  seqs: number[]
  bits: Uint8Array
  values: Uint8Array
}

/** The next vectors after one; undefined at the end. */
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
where owner_id = :ownerId and model = :model
  and seq in (select value::bigint from jsonb_array_elements_text(:seqs::jsonb))`

/** The vectors of some memories that have one. */
export const readVectorsOf = async (
  query: Query,
  { seqs, ...owned }: { ownerId: string; model: number; seqs: number[] },
): Promise<{ seq: number; bits: Uint8Array; values: Uint8Array }[]> =>
  namedQuery(query, VECTORS_OF, { ...owned, seqs: JSON.stringify(seqs) })

/** A memory as it is now. Without an entry it is deleted. */
export interface ChangedMemory {
  seq: number
  entry: MemoryEntry | null
  vector: { bits: Uint8Array; values: Uint8Array } | undefined
}

const CHANGES = `
with stats as materialized (select * from memory_stats where owner_id = :ownerId),
passed as materialized (
  select seq from memory_changes where owner_id = :ownerId and change_no > :since::bigint
),
changed as materialized (
  select distinct seq from passed
  where (select count(*) from passed) = (select change_count from stats) - :since::bigint
)
select ${STATS} as stats, (select count(*) from passed)::float8 as passed, c.seq::float8 as seq,
  case when m.seq is not null then ${ENTRY} end as entry, v.bits, v.values
from stats s
left join changed c on true
left join lateral (
  select * from memories where owner_id = :ownerId and seq = c.seq and deleted_at is null limit 1
) m on true
left join lateral (
  select ${BITS} as bits, embedding as values from memory_vectors v
  where owner_id = :ownerId and seq = m.seq and model = :model limit 1
) v on true`

/**
 * The memories that changed since a number of changes, in one snapshot.
 * @returns undefined when the changes since then are not kept any more.
 */
export const readChanges = async (
  query: Query,
  ownerId: string,
  model: number,
  since: number,
): Promise<{ stats: OwnerStats; changes: ChangedMemory[] } | undefined> => {
  type Row = Pick<ChangedMemory, 'seq'> & {
    stats: OwnerStats
    passed: number
    entry: Uint8Array | null
    bits: Uint8Array | null
    values: Uint8Array | null
  }
  const rows = await namedQuery<Row | (Row & { seq: null })>(query, CHANGES, {
    ownerId,
    model,
    since,
  })
  const [first] = rows
  if (!first || Number(first.passed) !== first.stats.changeCount - since) return undefined
  const changes = await mapYielding(
    rows.filter(({ seq }) => seq !== null),
    async ({ seq, entry, bits, values }) => ({
      seq: Number(seq),
      entry: (await entriesOf(entry))[0] ?? null,
      vector: bits && values ? { bits, values } : undefined,
    }),
  )
  return { stats: first.stats, changes }
}

/** The `seq` of the memories that pass a filter. */
export const readPassing = async (
  query: Query,
  ownerId: string,
  filter: RecallFilter,
): Promise<Set<number>> => {
  const { live, filters, values } = filterConditions(filter)
  const [row] = await namedQuery<{ seqs: number[] | null }>(
    query,
    {
      key: JSON.stringify(['passing', live, filters]),
      compose: () => `
select json_agg(m.seq) as seqs from memories m
where m.owner_id = :ownerId and m.deleted_at is null ${live} ${filters}`,
    },
    { ...values, ownerId },
  )
  return new Set(row?.seqs)
}
