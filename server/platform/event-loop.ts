import { setImmediate as nextIteration } from 'node:timers/promises'

/** The longest that one request blocks the event loop. */
const STRETCH_MS = 10

/** Yields to the event loop within long work. `isDue` is cheap enough for inner loops. */
export const createPacer = () => {
  let since = performance.now()
  return {
    isDue: (): boolean => performance.now() - since >= STRETCH_MS,
    async yield(): Promise<void> {
      await nextIteration()
      since = performance.now()
    },
  }
}

/** @returns a function that awaits a result and yields to the event loop when due. */
export const createSteps = () => {
  const pacer = createPacer()
  return async <T>(result: T): Promise<Awaited<T>> => {
    const value = await result
    if (pacer.isDue()) await pacer.yield()
    return value
  }
}

/** Work in steps. The return value of the generator is the result. */
export type Stepwise<T> = Generator<void, T>

/** Runs all steps without yielding to the event loop. */
export const runSteps = <T>(steps: Stepwise<T>): T => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Like `runSteps`, but yields to the event loop between the steps. */
export const runStepsYielding = async <T>(steps: Stepwise<T>): Promise<T> => {
  const pacer = createPacer()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (pacer.isDue()) await pacer.yield()
  }
}

/** Maps items in order, yielding to the event loop between them. */
export const mapYielding = async <T, R>(
  items: readonly T[],
  map: (item: T, index: number) => R | Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  const pacer = createPacer()
  for (const item of items) {
    results.push(await map(item, results.length))
    if (pacer.isDue()) await pacer.yield()
  }
  return results
}
