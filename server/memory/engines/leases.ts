import type { Query } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import {
  acquireLease,
  type EngineWorkerName,
  type LeaseHolder,
  releaseLease,
  renewLeases,
} from './lease-store.ts'

/** After this time without a renewal, because its server was killed, another server takes over. */
const LEASE_SECONDS = 30
const RENEW_MS = 10_000

export type Leases = ReturnType<typeof createLeases>

/**
 * Leases on owners: only one of several servers runs the engines of an owner at a time, so that no work
 * is done twice, and no older result replaces a newer one. They are rows, because locks of a session do
 * not work through a connection pooler.
 * @param worker the name of the worker, whose engines the leases are for.
 */
export const createLeases = (query: Query, worker: EngineWorkerName, log: Log) => {
  const holder: LeaseHolder = { worker, holder: crypto.randomUUID() }
  let held = 0
  let timer: NodeJS.Timeout | undefined

  const renew = () => {
    renewLeases(query, holder, LEASE_SECONDS).catch((error) =>
      log.warn({ error }, 'engine leases were not renewed'),
    )
  }
  const release = async (ownerId: string): Promise<void> => {
    if (--held === 0) {
      clearInterval(timer)
      timer = undefined
    }
    await releaseLease(query, holder, ownerId).catch((error) =>
      log.warn({ error, seconds: LEASE_SECONDS }, 'an engine lease was not released; it expires'),
    )
  }

  return {
    /** Runs `work` with the lease of an owner. @returns `leased` while another server has the lease. */
    async hold<T>(ownerId: string, work: () => Promise<T>): Promise<T | 'leased'> {
      if (!(await acquireLease(query, holder, ownerId, LEASE_SECONDS))) return 'leased'
      held++
      timer ??= setInterval(renew, RENEW_MS)
      try {
        return await work()
      } finally {
        await release(ownerId)
      }
    },
  }
}
