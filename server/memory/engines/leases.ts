import type { Query } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import {
  acquireLease,
  type EngineWorkerName,
  type LeaseKey,
  lockLease,
  releaseLease,
  renewLeases,
} from './lease-store.ts'

/** After this time without a renewal, because its server was killed, another server takes over. */
const LEASE_SECONDS = 30
const RENEW_MS = 10_000

/** Another server has the lease, because this one did not renew it in time. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** The right to write results for an owner. */
export interface Lease {
  /**
   * Call it first in each transaction that writes: no other server gets the lease until the transaction ends.
   * @throws LeaseLost when another server has it, whose results are newer.
   */
  confirm(query: Query): Promise<void>
}

/** The embedded database has one server only, which needs no lease. */
export const ONLY_SERVER: Lease = { confirm: async () => {} }

export type Leases = ReturnType<typeof createLeases>

/**
 * Leases on owners: only one of several servers runs the engines of an owner at a time, so that no work
 * is done twice, and no older result replaces a newer one. They are rows, because locks of a session do
 * not work through a connection pooler.
 * @param worker the name of the worker, whose engines the leases are for.
 */
export const createLeases = (query: Query, worker: EngineWorkerName, log: Log) => {
  const held = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const renew = () => {
    renewLeases(query, [...held], LEASE_SECONDS).catch((error) =>
      log.warn({ error }, 'engine leases were not renewed'),
    )
  }
  const release = async (key: LeaseKey): Promise<void> => {
    held.delete(key.id)
    if (held.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
    await releaseLease(query, key).catch((error) =>
      log.warn({ error, seconds: LEASE_SECONDS }, 'an engine lease was not released; it expires'),
    )
  }

  return {
    /** Runs `work` with the lease of an owner. @returns `leased` while another server has the lease. */
    async hold<T>(ownerId: string, work: (lease: Lease) => Promise<T>): Promise<T | 'leased'> {
      const key = { ownerId, worker, id: crypto.randomUUID() }
      if (!(await acquireLease(query, key, LEASE_SECONDS))) return 'leased'
      held.add(key.id)
      timer ??= setInterval(renew, RENEW_MS)
      try {
        return await work({
          async confirm(within) {
            if (!(await lockLease(within, key))) throw new LeaseLost('another server has the lease')
          },
        })
      } catch (error) {
        if (!(error instanceof LeaseLost)) throw error
        log.warn({ worker }, 'an engine lease was lost; its results are dropped')
        return 'leased'
      } finally {
        await release(key)
      }
    },
  }
}
