import type postgres from 'postgres'

/** The classes of locks, in the order in which a transaction must take them. */
export type LockOrder = readonly string[]

export class LockOrderError extends Error {
  override name = 'LockOrderError'
}

/** One lock that a statement takes. */
interface StatementLock {
  /** The table of a row lock, or the name of an advisory lock; empty if it was not recognized. */
  lockClass: string
  /** Whether it is an advisory lock, a `for update` or `for share`, an update or delete, or a new row. */
  kind: 'advisory' | 'select' | 'write' | 'insert'
  /** False for `skip locked` and for new rows, which do not wait for other transactions. */
  waits: boolean
}

const LOCK =
  /\/\* locks (\w+) \*\/|\b(insert into|update|delete from) "?(\w+)"?|\bfor (?:no key update|update|key share|share)\b(?: of "?(\w+)"?)?( skip locked)?/gi

/** Finds the locks of a statement, roughly in the order in which it takes them. */
export const locksIn = (statement: string): StatementLock[] =>
  [...statement.matchAll(LOCK)].map(
    ({ index, 1: name, 2: verb, 3: table, 4: alias, 5: skips }, i, all) => {
      if (name !== undefined) return { lockClass: name, kind: 'advisory', waits: true }
      if (verb === undefined || table === undefined) {
        const lockClass = lockedTable(selectBefore(statement, index), alias) ?? ''
        return { lockClass, kind: 'select', waits: skips === undefined }
      }
      // `on conflict do update set` matches as an update of the table `set`, and locks the row that exists.
      const isUpsert = all[i + 1]?.[3]?.toLowerCase() === 'set'
      const isInsert = verb.toLowerCase() === 'insert into' && !isUpsert
      return { lockClass: table, kind: isInsert ? 'insert' : 'write', waits: !isInsert }
    },
  )

/** The text of the select that ends at `end`, without its parenthesized parts. */
const selectBefore = (statement: string, end: number): string => {
  let depth = 0
  let text = ''
  for (const character of [...statement.slice(0, end)].toReversed()) {
    if (character === '(') depth--
    if (depth < 0) break
    if (depth === 0) text = character + text
    if (character === ')') depth++
  }
  return text
}

const lockedTable = (select: string, alias: string | undefined): string | undefined => {
  const tables = [...select.matchAll(/\b(?:from|join) "?(\w+)"?(?: (?:as )?"?(\w+)"?)?/gi)]
  if (alias === undefined) return tables.at(-1)?.[1]
  return tables.find(([, table, name]) => name === alias || table === alias)?.[1]
}

/**
 * Checks every statement of a connection pool, for tests. A transaction that takes its locks in another
 * order can deadlock with one that follows the order.
 * @param onViolation is called before the statement throws.
 */
export const assertLockOrder = (
  client: postgres.Sql,
  order: LockOrder,
  onViolation: (error: LockOrderError) => void,
): void => {
  const ranks = new Map(order.map((lockClass, rank) => [lockClass, rank]))
  const cache = new Map<string, StatementLock[]>()
  const locksOf = (statement: string) => {
    const locks = cache.get(statement) ?? locksIn(statement)
    cache.set(statement, locks)
    return locks
  }

  const acquire = (held: Map<string, number>, statement: string) => {
    for (const { lockClass, kind, waits } of locksOf(statement)) {
      const rank = ranks.get(lockClass)
      if (rank === undefined) continue
      const later = [...held].find(([, other]) => other > rank)
      if (waits && later && !held.has(lockClass)) {
        const error = new LockOrderError(
          `A lock of ${lockClass} after one of ${later[0]}: ${statement}`,
        )
        onViolation(error)
        throw error
      }
      // No other transaction can wait for a new row.
      if (kind === 'insert') held.set(lockClass, held.get(lockClass) ?? -1)
      else held.set(lockClass, rank)
    }
  }

  const observe = (sql: Pick<postgres.Sql, 'unsafe'>, heldNow: () => Map<string, number>) => {
    const unsafe = sql.unsafe.bind(sql)
    sql.unsafe = ((text, ...rest) => {
      acquire(heldNow(), text)
      return unsafe(text, ...rest)
    }) as typeof sql.unsafe
  }
  const begin = client.begin.bind(client)
  client.begin = (<T>(work: (tx: postgres.TransactionSql) => Promise<T>) =>
    begin((tx) => {
      const held = new Map<string, number>()
      observe(tx, () => held)
      return work(tx)
    })) as typeof client.begin
  observe(client, () => new Map())
}
