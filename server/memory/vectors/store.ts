import type { Database, Query } from '../../platform/db/database.ts'
import { OWNER, OWNER_IS_THERE } from '../memories/owner.ts'
import { type RecallFilter, scopeOf } from '../recall/scope.ts'
import type { Near } from '../recall/store.ts'
import type { Vector } from './endpoint.ts'

/** Any constant will do: it only has to be the same in every replica. */
const TABLES_LOCK = 7_283_746_516
const PREFIX = 'memory_vectors_'
/** How many times the wanted are chosen by their bits alone, before they are compared in full. */
const OVERSAMPLE = 4
const BACKFILL_PAGE = 2_000

/** Where the vectors of one model lie. */
export interface VectorTable {
  name: string
  dimensions: number
}

/**
 * One model's vectors have a table of their own, named after it: no query can ever see those of
 * another.
 */
export const tableNameOf = (model: string): string =>
  PREFIX + new Bun.CryptoHasher('sha256').update(model).digest('hex').slice(0, 12)

export type Support = 'available' | 'missing' | 'too_old' | 'forbidden'

/** Whether the database has vectors, switching them on where it may: pgvector 0.7 or later. */
export const enableVectors = async (database: Database): Promise<Support> => {
  const [offered] = await database.query<{ installed: boolean }>(
    `select installed_version is not null as installed from pg_available_extensions
    where name = 'vector'`,
    [],
  )
  if (!offered) return 'missing'
  try {
    if (!offered.installed) await locked(database, (query) => query(CREATE_EXTENSION, []))
  } catch (error) {
    if ((error as { code?: unknown }).code === INSUFFICIENT_PRIVILEGE) return 'forbidden'
    throw error
  }
  const [type] = await database.query<{ known: boolean }>(
    `select to_regtype('halfvec') is not null as known`,
    [],
  )
  return type?.known ? 'available' : 'too_old'
}

const CREATE_EXTENSION = 'create extension if not exists vector'
const INSUFFICIENT_PRIVILEGE = '42501'

/** Replicas that start at once make, replace and drop tables one after the other. */
const locked = <T>(database: Database, work: (query: Query) => Promise<T>): Promise<T> =>
  database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [TABLES_LOCK])
    return work(query)
  })

export const findTable = async (query: Query, name: string): Promise<VectorTable | undefined> => {
  const [column] = await query<{ type: string }>(
    `select format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass($1) and attname = 'embedding' and not attisdropped`,
    [name],
  )
  const dimensions = Number(/\((\d+)\)/.exec(column?.type ?? '')?.[1])
  return dimensions ? { name, dimensions } : undefined
}

/**
 * Makes the table unless it is there in this form, and drops those of other models and forms. What is
 * missing in a new one comes with the jobs.
 *
 * - A vector goes with its memory, and none can be written once the memory is gone.
 * - `bits`, one for each dimension's sign, are what is searched, in the index alone: a sixteenth of the
 *   size.
 */
export const prepareTable = (
  database: Database,
  { name, dimensions }: VectorTable,
): Promise<void> =>
  locked(database, async (query) => {
    const tables = await query<{ name: string }>(
      `select c.relname as name from pg_class c
      where c.relkind = 'r' and c.relname ~ $1 and pg_table_is_visible(c.oid)`,
      [`^${PREFIX}[0-9a-f]+$`],
    )
    const known = await findTable(query, name)
    for (const table of tables)
      if (table.name !== name || known?.dimensions !== dimensions)
        await query(`drop table ${table.name}`, [])
    if (known?.dimensions === dimensions) return
    await query(
      `create table ${name} (
        owner_id uuid not null,
        seq bigint not null,
        content_hash uuid not null,
        bits bit(${dimensions}) not null
          generated always as (binary_quantize(embedding)::bit(${dimensions})) stored,
        embedding halfvec(${dimensions}) not null,
        primary key (owner_id, seq) include (content_hash, bits),
        foreign key (owner_id, seq) references memories (owner_id, seq) on delete cascade
      )`,
      [],
    )
  })

const HALFVEC = ({ dimensions }: VectorTable, value: string) =>
  `${value}::text::halfvec(${dimensions})`

/** Half precision has three to four digits. */
const literal = (vector: readonly number[]) => `[${vector.map((x) => x.toPrecision(5)).join(',')}]`

export interface NewVector {
  seq: number
  contentHash: string
  embedding: Vector
}

/** Of memories that were not changed or erased meanwhile. */
export const putVectors = async (
  query: Query,
  table: VectorTable,
  ownerId: string,
  vectors: NewVector[],
): Promise<void> => {
  const rows = vectors.flatMap(({ seq, contentHash, embedding }) =>
    embedding ? [{ seq, content_hash: contentHash, embedding: literal(embedding) }] : [],
  )
  await query(
    `with ${OWNER}
    insert into ${table.name} (owner_id, seq, content_hash, embedding)
    select $1, m.seq, m.content_hash, ${HALFVEC(table, 'v.embedding')}
    from jsonb_to_recordset($2::jsonb) as v(seq bigint, content_hash uuid, embedding text)
    join memories m on m.owner_id = $1 and m.seq = v.seq and m.content_hash = v.content_hash
    where ${OWNER_IS_THERE}
    order by m.seq
    on conflict (owner_id, seq) do update
      set content_hash = excluded.content_hash, embedding = excluded.embedding`,
    [ownerId, JSON.stringify(rows)],
  )
}

/** @returns which of an owner's memories have a vector of their content as it is. */
export const findVectors = async (
  query: Query,
  table: VectorTable,
  ownerId: string,
  seqs: number[],
): Promise<Map<number, string>> => {
  const rows = await query<{ seq: string; content_hash: string }>(
    `select seq, content_hash from ${table.name}
    where owner_id = $1 and seq in (select value::bigint from jsonb_array_elements_text($2::jsonb))`,
    [ownerId, JSON.stringify(seqs)],
  )
  return new Map(rows.map((row) => [Number(row.seq), row.content_hash]))
}

/**
 * The memories that a filter lets through and that are nearest to a vector. All vectors of the owner are compared by their
 * bits, and the nearest of them in full.
 */
export const nearestMemories = async (
  query: Query,
  table: VectorTable,
  ownerId: string,
  embedding: readonly number[],
  filter: RecallFilter,
  limit: number,
): Promise<Near[]> => {
  const { live, filters, values } = scopeOf(filter, 4)
  const rows = await query<{ seq: string; similarity: number }>(
    `with asked as materialized (select ${HALFVEC(table, '$2')} as embedding),
    allowed as materialized (
      select m.seq, m.content_hash from memories m
      where m.owner_id = $1 and m.deleted_at is null ${live} ${filters}
    ),
    roughly as materialized (
      select v.seq from ${table.name} v
      -- "is true" keeps this a lookup in a hash table, whatever the planner expects of the sizes.
      where v.owner_id = $1
        and ((v.seq, v.content_hash) in (select seq, content_hash from allowed)) is true
      order by v.bits <~> (select binary_quantize(embedding) from asked)::bit(${table.dimensions})
      limit $3::int * ${OVERSAMPLE}
    )
    select v.seq, 1 - (v.embedding <=> a.embedding) as similarity
    from asked a, roughly r cross join lateral (
      select seq, embedding from ${table.name} where owner_id = $1 and seq = r.seq limit 1
    ) v
    order by v.embedding <=> a.embedding, v.seq limit $3`,
    [ownerId, literal(embedding), limit, ...values],
  )
  return rows.map((row) => ({ seq: Number(row.seq), similarity: Number(row.similarity) }))
}

/** Where a walk over all memories stands. */
export interface BackfillPlace {
  ownerId: string
  memoryId: string
}

export const FIRST_PLACE: BackfillPlace = {
  ownerId: '00000000-0000-0000-0000-000000000000',
  memoryId: '00000000-0000-0000-0000-000000000000',
}

/**
 * Queues for `engine` what has no vector of its content as it is, among the memories that come next.
 * @returns where to go on; undefined at the end.
 */
export const queueMissing = async (
  query: Query,
  table: VectorTable,
  engine: string,
  after: BackfillPlace,
): Promise<BackfillPlace | undefined> => {
  const [last] = await query<{ owner_id: string; memory_id: string; count: number }>(
    `with page as materialized (
      select owner_id, memory_id, seq, content_hash, deleted_at is null and superseded_by is null as is_live
      from memories where (owner_id, memory_id) > ($1::uuid, $2::uuid)
      order by owner_id, memory_id limit ${BACKFILL_PAGE}
    ),
    queued as (
      insert into memory_tasks (owner_id, engine, seq)
      select p.owner_id, $3, p.seq from page p
      where p.is_live and not exists (
        select from ${table.name} v
        where v.owner_id = p.owner_id and v.seq = p.seq and v.content_hash = p.content_hash
      )
      on conflict do nothing
    )
    select owner_id, memory_id, (select count(*)::int from page) as count
    from page order by owner_id desc, memory_id desc limit 1`,
    [after.ownerId, after.memoryId, engine],
  )
  return last?.count === BACKFILL_PAGE
    ? { ownerId: last.owner_id, memoryId: last.memory_id }
    : undefined
}
