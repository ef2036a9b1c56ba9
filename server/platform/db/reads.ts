import { AsyncLocalStorage } from 'node:async_hooks'
import { runRead } from '../request-scope.ts'
import type { Query } from './database.ts'
import type { Replica, ReplicaReport } from './replica.ts'

/** Reads that may be of a replica. */
export interface Reads {
  /**
   * Runs one statement that only reads. Within `run`, on the replica if it has all commits that were
   * acknowledged when `run` was called and answers; otherwise on the primary.
   */
  query: Query
  run<T>(work: () => Promise<T>): Promise<T>
  /** Undefined without `SVC_DATABASE_READ_URL`. */
  replica?: {
    report(): Promise<ReplicaReport>
    /** Calls of `run` by the server that answered their last statement. */
    counts: { replica: number; primary: number }
  }
}

/** All reads are of the primary. */
export const readsOfPrimary = (primary: Query): Reads => ({
  query: primary,
  run: runRead,
})

interface Scope {
  /** Undefined: the primary. */
  query: Promise<Query | undefined>
}

/** Statements that fail on the replica are run again on the primary, as are those after them. */
export const readsOfReplica = (primary: Query, replica: Replica): Reads => {
  const scopes = new AsyncLocalStorage<Scope>()
  const counts = { replica: 0, primary: 0 }
  return {
    async query<T>(text: string, params: unknown[]) {
      const scope = scopes.getStore()
      const onReplica = await scope?.query
      if (!scope || !onReplica) return primary<T>(text, params)
      try {
        return await onReplica<T>(text, params)
      } catch {
        scope.query = Promise.resolve(undefined)
        return primary<T>(text, params)
      }
    },
    async run(work) {
      const scope: Scope = { query: replica.current() }
      const result = await scopes.run(scope, () => runRead(work))
      counts[(await scope.query) ? 'replica' : 'primary']++
      return result
    },
    replica: { report: replica.report, counts },
  }
}
