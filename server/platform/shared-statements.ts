import { AsyncResource } from 'node:async_hooks'
import { isDisconnected } from './db/faults.ts'
import { ConnectionWaitError } from './db/limited-pool.ts'
import { runShared, runSharedWrite } from './request-scope.ts'

/** How requests with an item each share a statement. */
interface Sharing<Item, Result> {
  /** Runs the statement of a request that no other one shares, for its request. */
  runOne(item: Item): Promise<Result>
  /** @returns the results in the order of the items. */
  runAll(items: Item[]): Promise<Result[]>
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item
  runAlone(): Promise<Result>
}

const waitingOf = <Item, Result>(
  item: Item,
  { runOne }: Sharing<Item, Result>,
): Waiting<Item, Result> => ({
  item,
  runAlone: AsyncResource.bind(() => runOne(item)),
  ...Promise.withResolvers<Result>(),
})

/** Runs the statement of requests that have met. @param onFailure called where several share it. */
const runMet = async <Item, Result>(
  met: readonly Waiting<Item, Result>[],
  runAll: Sharing<Item, Result>['runAll'],
  onFailure: (one: Waiting<Item, Result>, error: unknown) => void,
): Promise<void> => {
  const [first, second] = met
  if (first && !second) return first.runAlone().then(first.resolve, first.reject)
  try {
    const results = await runAll(met.map(({ item }) => item))
    for (const [index, { resolve }] of met.entries()) resolve(results[index] as Result)
  } catch (error) {
    for (const one of met) onFailure(one, error)
  }
}

/**
 * Shares a statement among the requests of one iteration of the event loop. A read does not wait for one under way:
 * with several connections the database answers them at the same time.
 * @returns a function that reads one, alone or together with the others of its iteration.
 */
export const createSharedRead = <Key, Found>(
  sharing: Sharing<Key, Found>,
): ((key: Key) => Promise<Found>) => {
  let waiting: Waiting<Key, Found>[] = []
  const read = (): void => {
    const met = waiting
    waiting = []
    const runAll = (keys: Key[]) => runShared(() => sharing.runAll(keys))
    runMet(met, runAll, ({ reject }, error) => reject(error))
  }
  return (key) => {
    if (waiting.length === 0) setImmediate(read)
    const one = waitingOf(key, sharing)
    waiting.push(one)
    return one.promise
  }
}

/** Others wait so long for a statement, which may itself wait for a lock. */
const PATIENCE_MS = 20
const MAX_RUNNING = 3

/**
 * Shares a statement among the writes that arrive while one is under way: alone, a write goes at once. Where a
 * shared statement fails, each of its writes is run alone, so that only those fail that cause it.
 * @param sizeOf a write counts so much towards `maxSize`, which a shared statement does not exceed.
 */
export const createSharedWrite = <Item, Result>(
  sharing: Sharing<Item, Result>,
  { sizeOf, maxSize }: { sizeOf(item: Item): number; maxSize: number },
): ((item: Item) => Promise<Result>) => {
  const waiting: Waiting<Item, Result>[] = []
  let running = 0
  /** The statement that others wait for. */
  let awaited: symbol | undefined

  const take = (): Waiting<Item, Result>[] => {
    let size = 0
    const count = waiting.findIndex(({ item }, index) => {
      size += sizeOf(item)
      return index > 0 && size > maxSize
    })
    return waiting.splice(0, count < 0 ? waiting.length : count)
  }

  const retryAlone = ({ runAlone, resolve, reject }: Waiting<Item, Result>, error: unknown) => {
    // The statement may have been committed, or no connection is free for it either.
    if (isDisconnected(error) || error instanceof ConnectionWaitError) reject(error)
    else runAlone().then(resolve, reject)
  }

  const runNext = async (): Promise<void> => {
    if (awaited || running === MAX_RUNNING || waiting.length === 0) return
    const current = Symbol('statement')
    const release = () => {
      if (awaited !== current) return
      awaited = undefined
      runNext()
    }
    awaited = current
    running++
    const timer = setTimeout(release, PATIENCE_MS)
    const runAll = (items: Item[]) => runSharedWrite(() => sharing.runAll(items))
    await runMet(take(), runAll, retryAlone)
    clearTimeout(timer)
    running--
    if (awaited === current) release()
    else runNext()
  }

  return (item) => {
    const one = waitingOf(item, sharing)
    waiting.push(one)
    runNext()
    return one.promise
  }
}
