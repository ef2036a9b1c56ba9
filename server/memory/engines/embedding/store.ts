import type { Query } from '../../../platform/db/database.ts'
import type { MemoryKey } from '../../memories/backfill-store.ts'
import type { VectorModel } from '../../memories/vectors.ts'

const QUEUE_PAGE = 2_000

/**
 * Queues the memories without a vector for an engine, among the next ones after a key.
 * @returns the key to continue after; undefined at the end.
 */
export const queueMissing = async (
  query: Query,
  model: VectorModel,
  engine: string,
  after: MemoryKey,
): Promise<MemoryKey | undefined> => {
  const [last] = await query<{ owner_id: string; memory_id: string; count: number }>(
    `with page as materialized (
      select m.owner_id, m.memory_id, m.seq,
        m.deleted_at is null and m.superseded_by is null and v.seq is null as is_missing
      from memories m
      left join memory_vectors v on v.owner_id = m.owner_id and v.seq = m.seq and v.model = $4
      where (m.owner_id, m.memory_id) > ($1::uuid, $2::uuid)
      order by m.owner_id, m.memory_id limit ${QUEUE_PAGE}
    ),
    queued as (
      insert into memory_tasks (owner_id, engine, seq)
      select owner_id, $3, seq from page where is_missing
      on conflict do nothing
    )
    select owner_id, memory_id, (select count(*)::int from page) as count
    from page order by owner_id desc, memory_id desc limit 1`,
    [after.ownerId, after.memoryId, engine, model.id],
  )
  return last?.count === QUEUE_PAGE
    ? { ownerId: last.owner_id, memoryId: last.memory_id }
    : undefined
}

const DELETE_PAGE = 5_000

/** Deletes some vectors of models other than these. @returns whether there may be more. */
export const deleteOtherModels = async (query: Query, models: VectorModel[]): Promise<boolean> => {
  const rows = await query(
    `delete from memory_vectors where (owner_id, seq, model) in (
      select owner_id, seq, model from memory_vectors
      where model not in (select value::int from jsonb_array_elements_text($1::jsonb))
      limit ${DELETE_PAGE}
    ) returning 1`,
    [JSON.stringify(models.map(({ id }) => id))],
  )
  return rows.length === DELETE_PAGE
}

const COUNTED = 10_000

/** The memories that wait for an engine, counted up to a maximum. */
export const countWaiting = async (
  query: Query,
  engine: string,
): Promise<{ count: number; isMore: boolean }> => {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from
      (select 1 from memory_tasks where engine = $1 limit ${COUNTED + 1}) waiting`,
    [engine],
  )
  const count = row?.count ?? 0
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED }
}
