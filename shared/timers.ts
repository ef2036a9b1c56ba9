/** The longest time of `setTimeout`, in milliseconds, about 24 days: it fires at once for a longer one. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Whether a timeout is a limit: 0, `Infinity` and what no timer can count are none. */
export const isLimit = (ms: number): boolean => ms > 0 && ms <= MAX_TIMER_MS

/** Calls a function after a time, unless the time is no limit. */
export const startTimer = (
  callback: () => void,
  ms: number,
): ReturnType<typeof setTimeout> | undefined => (isLimit(ms) ? setTimeout(callback, ms) : undefined)

/** Waits for a time, or until the signal. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })
