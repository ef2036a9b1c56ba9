import { SpanKind } from '@opentelemetry/api'
import type postgres from 'postgres'
import { isTraced, traced } from '../telemetry/spans.ts'

type Sql = Pick<postgres.Sql, 'unsafe'>
type Pending = ReturnType<postgres.Sql['unsafe']>

/** Longer statements are cut. Statements have parameters instead of values. */
const MAX_STATEMENT_CHARACTERS = 2_000

/** Adds a span for each statement that a traced request or job sends over a pool. */
export const traceStatements = (client: postgres.Sql): void => {
  const begin = client.begin.bind(client)
  client.begin = (<T>(work: (tx: postgres.TransactionSql) => Promise<T>) =>
    begin((tx) => {
      observe(tx)
      return work(tx)
    })) as typeof client.begin
  observe(client)
}

const observe = (sql: Sql): void => {
  const unsafe = sql.unsafe.bind(sql)
  sql.unsafe = ((text, ...rest) => {
    const pending = unsafe(text, ...rest)
    return isTraced() ? withSpan(pending, text) : pending
  }) as typeof sql.unsafe
}

/** A pending statement is sent when it is awaited, after methods such as `values()` have changed it. */
const withSpan = (pending: Pending, text: string): Pending => {
  const statement = text.trim()
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': statement.slice(0, MAX_STATEMENT_CHARACTERS),
  }
  const operation = /^\w+/.exec(statement)?.[0].toUpperCase() ?? 'SQL'
  const observed: Pending = new Proxy(pending, {
    get(target, property) {
      if (property === 'then')
        return (...handlers: Parameters<Pending['then']>) =>
          traced(operation, attributes, async () => target, SpanKind.CLIENT).then(...handlers)
      const value = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = value.apply(target, args)
        return result === target ? observed : result
      }
    },
  })
  return observed
}
