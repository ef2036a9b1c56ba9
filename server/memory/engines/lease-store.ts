import type { Query } from '../../platform/db/database.ts'
import type { engineLeases } from './table.ts'

export type EngineWorkerName = (typeof engineLeases.$inferSelect)['worker']

/**
 * One acquisition of a lease. Its id is new each time, so that a write that was delayed beyond the lease is
 * recognized, even if the same worker has the lease again.
 */
export interface LeaseKey {
  ownerId: string
  /** The engines of the worker, by the name that it has on each server. */
  worker: EngineWorkerName
  id: string
}

const ACQUIRE = `
insert into engine_leases as l (owner_id, worker, holder, expires_at)
values ($1, $2, $3, now() + make_interval(secs => $4))
on conflict (owner_id, worker) do update
  set holder = excluded.holder, expires_at = excluded.expires_at
  where l.expires_at < now()
returning 1`

/**
 * @param seconds until the lease expires, unless it is renewed.
 * @returns false while another server has the lease.
 */
export const acquireLease = async (
  query: Query,
  { ownerId, worker, id }: LeaseKey,
  seconds: number,
): Promise<boolean> => (await query(ACQUIRE, [ownerId, worker, id, seconds])).length > 0

const RENEW = `
with held as materialized (
  select owner_id, worker from engine_leases
  where holder in (select value::uuid from jsonb_array_elements_text($1::jsonb))
  for no key update skip locked
)
update engine_leases l set expires_at = now() + make_interval(secs => $2)
from held where l.owner_id = held.owner_id and l.worker = held.worker`

/**
 * Extends leases, unless another server has them. A transaction that writes keeps its lease from passing on, so
 * a locked one is left to the next renewal, and does not delay those of other owners.
 */
export const renewLeases = (query: Query, ids: string[], seconds: number) =>
  query(RENEW, [JSON.stringify(ids), seconds])

export const releaseLease = (query: Query, { ownerId, worker, id }: LeaseKey) =>
  query('delete from engine_leases where owner_id = $1 and worker = $2 and holder = $3', [
    ownerId,
    worker,
    id,
  ])

/**
 * Keeps a lease from passing to another server until the transaction ends.
 * @returns false if it has passed, or has expired and was deleted.
 */
export const lockLease = async (
  query: Query,
  { ownerId, worker, id }: LeaseKey,
): Promise<boolean> => {
  const rows = await query(
    `select from engine_leases where owner_id = $1 and worker = $2 and holder = $3 for share`,
    [ownerId, worker, id],
  )
  return rows.length > 0
}

/** Deletes the leases of killed servers. */
export const deleteExpiredLeases = (query: Query) =>
  query('delete from engine_leases where expires_at < now()', [])
