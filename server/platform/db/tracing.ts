import { SpanKind } from '@opentelemetry/api'
import type postgres from 'postgres'
import { isTraced, traced } from '../telemetry/spans.ts'
import { type Pending, sentBy } from './pending.ts'

type Sql = Pick<postgres.Sql, 'unsafe'>

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

const withSpan = (pending: Pending, text: string): Pending => {
  const statement = text.trim()
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': statement.slice(0, MAX_STATEMENT_CHARACTERS),
  }
  const operation = /^\w+/.exec(statement)?.[0].toUpperCase() ?? 'SQL'
  return sentBy(pending, (sent) => traced(operation, attributes, async () => sent, SpanKind.CLIENT))
}
