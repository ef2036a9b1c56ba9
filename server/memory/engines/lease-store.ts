import type { Query } from '../../platform/db/database.ts'
import type { engineLeases } from './table.ts'

export type EngineWorkerName = (typeof engineLeases.$inferSelect)['worker']

/** One worker of a server. */
export interface LeaseHolder {
  /** The engines of the worker, by the name that it has on each server. */
  worker: EngineWorkerName
  /** Unique among servers. */
  holder: string
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
  { worker, holder }: LeaseHolder,
  ownerId: string,
  seconds: number,
): Promise<boolean> => (await query(ACQUIRE, [ownerId, worker, holder, seconds])).length > 0

/** Extends all leases of a holder. */
export const renewLeases = (query: Query, { holder }: LeaseHolder, seconds: number) =>
  query(
    `update engine_leases set expires_at = now() + make_interval(secs => $2) where holder = $1`,
    [holder, seconds],
  )

export const releaseLease = (query: Query, { worker, holder }: LeaseHolder, ownerId: string) =>
  query('delete from engine_leases where owner_id = $1 and worker = $2 and holder = $3', [
    ownerId,
    worker,
    holder,
  ])

/** Deletes the leases of killed servers. */
export const deleteExpiredLeases = (query: Query) =>
  query('delete from engine_leases where expires_at < now()', [])
