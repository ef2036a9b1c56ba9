/** Between loads that anyone can cause, however many requests do. */
const SHARED_PAUSE_MS = 1_000

/** Runs one load at a time. */
export const createRefresher = (load: () => Promise<void>) => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let soon: Promise<void> | undefined
  let lastMs = Number.NEGATIVE_INFINITY

  /** Loads, with a load that begins after the call. */
  const refresh = (): Promise<void> => {
    if (!running) {
      lastMs = performance.now()
      running = load().finally(() => {
        running = undefined
      })
      return running
    }
    // The running load may have read before the change that the caller looks for.
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }

  return {
    refresh,

    /** As `refresh`, for what anyone can cause: the next load waits, and all callers until then share it. */
    refreshSoon(): Promise<void> {
      soon ??= Bun.sleep(Math.max(0, lastMs + SHARED_PAUSE_MS - performance.now())).then(() => {
        soon = undefined
        return refresh()
      })
      return soon
    },

    /** Resolves when the load that runs, and the one that waits for it, have ended or failed. */
    async settled(): Promise<void> {
      await (next ?? running)?.catch(() => {})
    },
  }
}
