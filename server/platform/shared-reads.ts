import { AsyncResource } from 'node:async_hooks'

interface Waiting<Key, Found> extends PromiseWithResolvers<Found> {
  key: Key
  readAlone(): Promise<Found>
}

/**
 * Shares a statement among the requests of one iteration of the event loop. A read does not wait for one under way:
 * with several connections the database answers them at the same time.
 * @param readAll returns what it finds in the order of the keys.
 * @returns a function that reads one, alone or together with the others of its iteration.
 */
export const createSharedRead = <Key, Found>(
  readOne: (key: Key) => Promise<Found>,
  readAll: (keys: Key[]) => Promise<Found[]>,
): ((key: Key) => Promise<Found>) => {
  let waiting: Waiting<Key, Found>[] = []

  const read = async (): Promise<void> => {
    const met = waiting
    waiting = []
    const [first] = met
    try {
      const found =
        first && met.length === 1
          ? [await first.readAlone()]
          : await readAll(met.map(({ key }) => key))
      for (const [index, { resolve }] of met.entries()) resolve(found[index] as Found)
    } catch (error) {
      for (const { reject } of met) reject(error)
    }
  }

  return (key) => {
    if (waiting.length === 0) setImmediate(read)
    const readAlone = AsyncResource.bind(() => readOne(key))
    const one = { key, readAlone, ...Promise.withResolvers<Found>() }
    waiting.push(one)
    return one.promise
  }
}
