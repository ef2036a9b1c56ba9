import { AsyncLocalStorage } from 'node:async_hooks'
import type postgres from 'postgres'
import { currentRequest } from '../request-scope.ts'
import { runCancellable, sentBy } from './driver-statement.ts'

interface PoolLimits {
  /** The connections that accounts share. */
  connections: number
  /** How long a statement may run. */
  statementMs: number
  /** How long a statement or a transaction may wait for a connection. */
  waitMs: number
  /** A pooler refuses the timeout as a setting of the connection. */
  isPooled: boolean
}

/**
 * Tells the driver that the connection is full: otherwise it sends other statements on it, which wait for a
 * slow one, and which a cancel request for that may end.
 */
export const ALONE = { onexecute: () => false }

/** Makes the statements of a transaction end when the client disconnects. */
const endOnDisconnect = (tx: postgres.TransactionSql): void => {
  const unsafe = tx.unsafe.bind(tx)
  tx.unsafe = ((text, ...rest) =>
    sentBy(unsafe(text, ...rest), (statement) =>
      runCancellable(statement, text, undefined),
    )) as typeof tx.unsafe
}

/**
 * Limits what the requests of an account take of a pool: its share of the connections, and the time of each
 * statement. The statements that check a credential, and those of no request, are not limited.
 */
export const limitPool = (
  client: postgres.Sql,
  { connections, statementMs, waitMs, isPooled }: PoolLimits,
): void => {
  const shares = createShares(connections, waitMs)
  /** Set within a transaction, which already has a connection. */
  const holding = new AsyncLocalStorage<true>()
  const deadlineMs = isPooled ? statementMs : undefined

  const withShare = async <T>(account: string, work: () => Promise<T>): Promise<T> => {
    const request = currentRequest()
    await shares.take(account, () => (request?.isRead ? request.client.signal : undefined))
    try {
      return await work()
    } finally {
      shares.release(account)
    }
  }
  /** Undefined where nothing is limited. */
  const accountToLimit = () => (holding.getStore() ? undefined : currentRequest()?.account)

  const originalBegin = client.begin.bind(client)
  const begin = <T>(work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> =>
    originalBegin((tx) => {
      // Sent together with the first statement. If it fails, the transaction does.
      if (isPooled) tx.unsafe(`set local statement_timeout = ${statementMs}`).catch(() => {})
      if (currentRequest()?.isRead) endOnDisconnect(tx)
      return work(tx)
    }) as Promise<T>
  client.begin = (<T>(work: (tx: postgres.TransactionSql) => Promise<T>) => {
    const account = accountToLimit()
    if (account === undefined) return begin(work)
    return withShare(account, () => holding.run(true, () => begin(work)))
  }) as typeof client.begin

  const unsafe = client.unsafe.bind(client)
  client.unsafe = ((text, args = [], options = {}) => {
    const account = accountToLimit()
    if (account === undefined) return unsafe(text, args, options)
    return sentBy(unsafe(text, args, { ...options, ...ALONE }), (statement) =>
      withShare(account, () => runCancellable(statement, text, deadlineMs)),
    )
  }) as typeof client.unsafe
}

/** No connection was free in time. */
export class ConnectionWaitError extends Error {
  override name = 'ConnectionWaitError'
}

interface Waiter {
  resolve(): void
}

/**
 * Divides the connections of a pool among accounts. An account gets another one only while more are free
 * than it holds, so that some remain for others. Those that wait take turns by account.
 */
const createShares = (connections: number, waitMs: number) => {
  let free = connections
  const held = new Map<string, number>()
  /** In the order of turns. Each of them has to wait at every moment. */
  const queues = new Map<string, Set<Waiter>>()

  const mayTake = (account: string) => free > (held.get(account) ?? 0)

  const take = (account: string) => {
    free--
    held.set(account, (held.get(account) ?? 0) + 1)
  }

  const leave = (account: string, waiter: Waiter) => {
    const waiters = queues.get(account)
    waiters?.delete(waiter)
    if (waiters?.size === 0) queues.delete(account)
  }

  const serveNext = (): boolean => {
    for (const [account, waiters] of queues) {
      const [next] = waiters
      if (!next || !mayTake(account)) continue
      leave(account, next)
      // The turn after this one is after those of the others.
      if (queues.delete(account)) queues.set(account, waiters)
      take(account)
      next.resolve()
      return true
    }
    return false
  }

  const release = (account: string) => {
    free++
    const remaining = (held.get(account) ?? 1) - 1
    if (remaining) held.set(account, remaining)
    else held.delete(account)
    while (free && serveNext());
  }

  const wait = (account: string, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { resolve }
    queues.set(account, (queues.get(account) ?? new Set()).add(waiter))
    const stop = (reason: unknown) => {
      leave(account, waiter)
      reject(reason)
    }
    const onAbort = () => stop(signal?.reason)
    const timer = setTimeout(
      () => stop(new ConnectionWaitError(`no connection was free within ${waitMs} ms`)),
      waitMs,
    )
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    })
  }

  return {
    /**
     * Takes a connection for an account. `release` gives it back.
     * @param getSignal its abort ends the wait.
     * @throws ConnectionWaitError, or the reason of the abort.
     */
    async take(account: string, getSignal: () => AbortSignal | undefined): Promise<void> {
      if (mayTake(account)) take(account)
      else await wait(account, getSignal())
    },
    release,
  }
}
