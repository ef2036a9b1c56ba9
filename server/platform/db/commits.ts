import type { Db } from './database.ts'

const works = new WeakMap<Db, (() => void)[]>()

/** Does something once a transaction of drizzle's is committed, and never where it is not. */
export const afterCommit = (tx: Db, work: () => void): void => {
  works.get(tx)?.push(work)
}

/** Has the transactions of `db` do what `afterCommit` asks; one within another is a part of it. */
export const tellingCommits = (db: Db): Db => {
  const begin = db.transaction.bind(db)
  db.transaction = async (work, config) => {
    let asked: (() => void)[] = []
    const result = await begin((tx) => {
      // It may run more than once: only the last counts.
      asked = []
      works.set(tx, asked)
      return work(tx)
    }, config)
    for (const todo of asked) todo()
    return result
  }
  return db
}
