import { drizzle } from 'drizzle-orm/postgres-js'
import type postgres from 'postgres'
import { type Connections, type Db, driverOf, isDeadlock, type Query } from './database.ts'
import { isDisconnected, isUnreached } from './faults.ts'

const MAX_ATTEMPTS = 5
/** Enough for the other transaction to get its lock, and for some attempts while a pooler restarts. */
const RETRY_PAUSE_MS = 50
/** While no connection can be made, work is begun again for this long. The client would retry it later. */
const UNREACHED_RETRY_MS = 2_000

/** The interfaces of a pool of connections. */
export const connectionsOf = (client: postgres.Sql): Connections => ({
  db: withAfterCommit(withRetry(drizzle<Record<string, never>>(client))),
  query: queryRetrying(queryOn(client)),
  queryIn: (tx) => queryOn(driverOf(tx)),
  transaction: <T>(work: (query: Query) => Promise<T>) =>
    retryTransaction((begun) => client.begin((tx) => work(begun(queryOn(tx)))) as Promise<T>),
})

/** Runs statements on a connection or a transaction, as prepared statements. */
export const queryOn =
  (client: Pick<postgres.Sql, 'unsafe'>): Query =>
  async <T>(text: string, params: unknown[]) => {
    const rows = await client.unsafe<T[]>(text, params as postgres.ParameterOrJSON<never>[], {
      prepare: true,
    })
    return rows
  }

/** Runs a statement again that was not executed, because no connection could be made. */
const queryRetrying =
  (query: Query): Query =>
  <T>(text: string, params: unknown[]) =>
    retrying(() => query<T>(text, params), isUnreached)

/**
 * Retries deadlocked transactions, which PostgreSQL has rolled back, and those that did not begin, because
 * the connection was closed.
 * @param run calls `begun` with the transaction when it has begun.
 */
const retryTransaction = <T>(run: (begun: <Tx>(tx: Tx) => Tx) => Promise<T>): Promise<T> => {
  let hasBegun = false
  const begun = <Tx>(tx: Tx): Tx => {
    hasBegun = true
    return tx
  }
  return retrying(
    () => run(begun),
    (error) => !hasBegun && isDisconnected(error),
  )
}

/**
 * Runs work a second time if its connection is lost.
 * @param work must be idempotent: PostgreSQL may have committed the transaction of the first attempt.
 */
export const retryAfterLoss = async <T>(work: (isRetry: boolean) => Promise<T>): Promise<T> => {
  try {
    return await work(false)
  } catch (error) {
    if (!isDisconnected(error)) throw error
    return work(true)
  }
}

/** Runs `work` again, with jittered backoff, after a deadlock or, for a while, after what `isSafe` accepts. */
const retrying = async <T>(
  work: () => Promise<T>,
  isSafe: (error: unknown) => boolean,
): Promise<T> => {
  const endsAt = performance.now() + UNREACHED_RETRY_MS
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isRepeated = isDeadlock(error)
        ? attempt < MAX_ATTEMPTS
        : isSafe(error) && performance.now() < endsAt
      if (!isRepeated) throw error
      await Bun.sleep((1 + Math.random()) * RETRY_PAUSE_MS * attempt)
    }
}

/** Makes drizzle transactions retry as above. A nested transaction belongs to the outer one. */
const withRetry = (db: Db): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = (work, config) =>
    retryTransaction((begun) => begin((tx) => work(begun(tx)), config))
  return db
}

interface Begun {
  db: Db
  callbacks: (() => void)[]
}

/** Where transactions began, and what runs after their commits. */
const transactions = new WeakMap<Db, Begun>()

/**
 * Calls `callback` after the commit of a drizzle transaction, and never after a rollback; at once outside of
 * transactions, where each statement commits.
 */
export const afterCommit = (db: Db, callback: () => void): void => {
  const begun = transactions.get(db)
  if (begun) begun.callbacks.push(callback)
  else callback()
}

/** The drizzle instance that began a transaction, or `db` itself. */
export const poolOf = (db: Db): Db => transactions.get(db)?.db ?? db

/** Makes the transactions of `db` support `afterCommit`. Callbacks of a savepoint belong to the outer transaction. */
const withAfterCommit = (db: Db, outer?: Begun): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    let callbacks: (() => void)[] = []
    const result = await begin((tx) => {
      // A retry starts with no callbacks.
      callbacks = []
      const begun = { db: outer?.db ?? db, callbacks }
      transactions.set(tx, begun)
      withAfterCommit(tx, begun)
      return work(tx)
    }, config)
    if (outer) outer.callbacks.push(...callbacks)
    else for (const callback of callbacks) callback()
    return result
  }
  return db
}
