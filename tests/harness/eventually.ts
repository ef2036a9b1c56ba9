/** Below the timeout of a test, so that its error says which check did not hold. */
const WITHIN_MS = 110_000
const FIRST_PAUSE_MS = 5
const MAX_PAUSE_MS = 50

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
  const deadline = performance.now() + within
  for (let pauseMs = Math.min(FIRST_PAUSE_MS, every); ; pauseMs = Math.min(2 * pauseMs, every)) {
    const value = await check()
    if (isTruthy(value)) return value
    if (performance.now() > deadline)
      throw new Error(`after ${within} ms still ${Bun.inspect(value)}: ${check}`)
    await Bun.sleep(pauseMs)
  }
}

const isTruthy = <T>(value: T): value is Truthy<T> => Boolean(value)
