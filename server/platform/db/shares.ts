/** No connection was free in time. */
export class ConnectionWaitError extends Error {
  override name = 'ConnectionWaitError'
}

interface Waiter {
  resolve(): void
}

export type Shares = ReturnType<typeof createShares>

/**
 * Divides the connections of a pool among accounts. An account gets another one only while more are free
 * than it holds, so that some remain for others. Those that wait take turns by account.
 */
export const createShares = (connections: number, waitMs: number) => {
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
