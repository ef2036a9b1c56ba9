import type { Db } from './database.ts'

const callbacks = new WeakMap<Db, (() => void)[]>()

/** Calls `callback` after the commit of a drizzle transaction, and never after a rollback. */
export const afterCommit = (tx: Db, callback: () => void): void => {
  callbacks.get(tx)?.push(callback)
}

/** Makes the transactions of `db` support `afterCommit`. A nested transaction belongs to the outer one. */
export const withAfterCommit = (db: Db): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    let registered: (() => void)[] = []
    const result = await begin((tx) => {
      // A retry starts with no callbacks.
      registered = []
      callbacks.set(tx, registered)
      return work(tx)
    }, config)
    for (const callback of registered) callback()
    return result
  }
  return db
}
