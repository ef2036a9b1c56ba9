import type { Query } from '../../platform/db/database.ts'
import { jsonRows } from '../../platform/db/statements.ts'
import { lockOwner, OWNER_EXISTS } from './owner-store.ts'
import type { VectorCode, VectorModel } from './vectors.ts'

interface NewVector {
  seq: number
  contentHash: string
  code: VectorCode
}

/**
 * Stores vectors of memories, unless the content changed or the memory was deleted since it was read: the
 * share lock makes a concurrent writer come before or after.
 * They are no changes of the memories: an index asks for the vectors that it misses.
 */
export const storeVectors = async (
  query: Query,
  model: VectorModel,
  ownerId: string,
  vectors: NewVector[],
): Promise<void> => {
  const rows = vectors.map(({ seq, contentHash, code }) => ({
    seq,
    content_hash: contentHash,
    ...code,
  }))
  await query(
    `with ${lockOwner('$1')},
    input as materialized (
      select * from ${jsonRows('$3::jsonb', {
        seq: 'bigint',
        content_hash: 'uuid',
        bits: 'bit varying',
        embedding: 'text',
      })} v
    ),
    locked as materialized (
      select seq, content_hash, superseded_by from memories
      where owner_id = $1 and seq = any(array(select seq from input)) and deleted_at is null
        and ${OWNER_EXISTS}
      order by memory_id for share
    ),
    current as materialized (
      select m.seq, v.bits, v.embedding
      from input v join locked m on m.seq = v.seq and m.content_hash = v.content_hash
    )
    insert into memory_vectors (owner_id, seq, model, bits, embedding)
    select $1, seq, $2, bits, decode(embedding, 'base64') from current
    on conflict (owner_id, seq, model) do nothing`,
    [ownerId, model.id, JSON.stringify(rows)],
  )
}

/** @returns those of an owner's memories that have a vector. */
export const findVectors = async (
  query: Query,
  model: VectorModel,
  ownerId: string,
  seqs: number[],
): Promise<Set<number>> => {
  const rows = await query<{ seq: string }>(
    `select seq from memory_vectors
    where owner_id = $1 and model = $2
      and seq in (select value::bigint from jsonb_array_elements_text($3::jsonb))`,
    [ownerId, model.id, JSON.stringify(seqs)],
  )
  return new Set(rows.map(({ seq }) => Number(seq)))
}
