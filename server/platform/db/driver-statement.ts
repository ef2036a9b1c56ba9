import { SpanKind } from '@opentelemetry/api'
import type postgres from 'postgres'
import { currentRequest } from '../request-scope.ts'
import { isTraced, traced } from '../telemetry.ts'
import { locksIn } from './lock-order.ts'

/** A statement of the driver, which is sent when it is awaited. */
type Pending = ReturnType<postgres.Sql['unsafe']>

const AWAITING = new Set<unknown>(['then', 'catch', 'finally'])

/** Makes `run` send a statement, once, after methods such as `values()` have changed it. */
export const sentBy = (
  pending: Pending,
  run: (statement: Pending) => Promise<unknown>,
): Pending => {
  let running: Promise<unknown> | undefined
  const observed: Pending = new Proxy(pending, {
    get(target, property) {
      if (AWAITING.has(property)) {
        running ??= run(target)
        return Reflect.get(running, property, running).bind(running)
      }
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

/** Most statements end before, so that they have no listener. */
const WATCH_AFTER_MS = 100
/** A statement that PostgreSQL does not execute yet is cancelled when it does. */
const RETRY_MS = 100
/** The statement must not depend on the connection of its cancel request. */
const CANCEL_MS = 1_000

/**
 * Runs a statement that ends when the client of a reading request disconnects, and after `deadlineMs`.
 * Writes go on to their end.
 * @returns when PostgreSQL has received the cancel request, too, if it does within a second: it would end the
 * next statement otherwise.
 */
export const runCancellable = async <T>(
  statement: Pending & PromiseLike<T>,
  text: string,
  deadlineMs: number | undefined,
): Promise<T> => {
  const request = currentRequest()
  const isRead = request?.isRead === true
  if (!isRead && deadlineMs === undefined) return statement
  let canceled: Promise<unknown> | undefined
  let retry: NodeJS.Timeout | undefined
  const cancel = () => {
    // The end of the client and the deadline may both request it.
    clearTimeout(retry)
    if (isExecuting(statement))
      canceled ??= Promise.race([sendCancel(statement), Bun.sleep(CANCEL_MS)])
    else retry = setTimeout(cancel, RETRY_MS)
  }
  let watched: AbortSignal | undefined
  const watch = () => {
    if (locksIn(text).length > 0) return
    watched = request?.client.signal
    if (watched?.aborted) cancel()
    else watched?.addEventListener('abort', cancel)
  }
  const watching = isRead ? setTimeout(watch, WATCH_AFTER_MS) : undefined
  const deadline = deadlineMs === undefined ? undefined : setTimeout(cancel, deadlineMs)
  try {
    return await statement
  } catch (error) {
    throw canceled && watched?.aborted ? watched.reason : error
  } finally {
    for (const timer of [watching, deadline, retry]) clearTimeout(timer)
    watched?.removeEventListener('abort', cancel)
    await canceled
  }
}

/**
 * The driver loses a connection when the statement that waits for it to open is cancelled, and does not settle
 * the cancellation of one that waits behind another when their connection is lost.
 */
const isExecuting = (statement: object): boolean =>
  (statement as { active?: boolean }).active === true

/** The driver's method `cancel` does not return the promise of its cancel request. */
const sendCancel = async (statement: object): Promise<void> => {
  const { canceller } = statement as { canceller?: (query: object) => Promise<void> }
  // Without an answer to the request, the statement ends by itself or at its timeout.
  await canceller?.(statement).catch(() => {})
}

type Sql = Pick<postgres.Sql, 'unsafe'>

/** Longer statements are cut. Statements have parameters instead of values. */
const MAX_STATEMENT_CHARACTERS = 2_000

/** Adds a span for each statement that a traced request or job sends over a pool. */
export const traceQueries = (client: postgres.Sql): void => {
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
