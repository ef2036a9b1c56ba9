import { AsyncLocalStorage } from 'node:async_hooks'
import { runRead } from '../request-scope.ts'
import type { Query, Reads } from './database.ts'
import type { Replica } from './replica.ts'

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
