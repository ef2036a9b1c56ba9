/**
 * Calls `run` for a key after its requests have paused for `pauseMs`. While requests continue, the call
 * is delayed by little more than `maxDelayMs`.
 */
export const createDebounce = (
  run: (key: string) => void,
  { pauseMs, maxDelayMs }: { pauseMs: number; maxDelayMs: number },
) => {
  let isStopped = false
  let isFlushing = false
  const pending = new Map<string, { since: number; timer: NodeJS.Timeout }>()
  const start = (key: string): void => {
    pending.delete(key)
    run(key)
  }
  return {
    request(key: string): void {
      if (isFlushing) run(key)
      if (isStopped || isFlushing) return
      const now = performance.now()
      const { since, timer } = pending.get(key) ?? { since: now }
      if (now - since > maxDelayMs) return
      clearTimeout(timer)
      pending.set(key, { since, timer: setTimeout(start, pauseMs, key) })
    },

    /** Makes pending calls now, and later ones at once. */
    flush(): void {
      isFlushing = true
      for (const [key, { timer }] of pending) {
        clearTimeout(timer)
        start(key)
      }
    },

    /** Drops pending calls. */
    stop(): void {
      isStopped = true
      for (const { timer } of pending.values()) clearTimeout(timer)
    },
  }
}
