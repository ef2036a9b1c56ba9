/** Below the timeout of a test, so that its error says which check did not hold. */
const WITHIN_MS = 110_000
const FIRST_PAUSE_MS = 5
const MAX_PAUSE_MS = 250
/** A check may be a request, so that many of them delay what they wait for. */
const PAUSE_PER_ELAPSED = 0.1

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>

/**
 * Repeats a check until it returns a truthy value.
 * @param options.within milliseconds. The default suits conditions that hold within seconds on an idle machine.
 * @param options.every the longest pause in milliseconds, shorter for a state that does not last.
 * @throws Error with the source and the last value of the check.
 */
export const eventually = async <T>(
  check: () => T | Promise<T>,
  { within = WITHIN_MS, every = MAX_PAUSE_MS } = {},
): Promise<Truthy<T>> => {
  const start = performance.now()
  for (;;) {
    const value = await check()
    if (isTruthy(value)) return value
    const elapsed = performance.now() - start
    if (elapsed > within)
      throw new Error(`after ${within} ms still ${Bun.inspect(value)}: ${check}`)
    await Bun.sleep(Math.min(Math.max(FIRST_PAUSE_MS, elapsed * PAUSE_PER_ELAPSED), every))
  }
}

const isTruthy = <T>(value: T): value is Truthy<T> => Boolean(value)
