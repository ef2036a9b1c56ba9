import pLimit from 'p-limit'

/** Calls `work` for owners at the times that were set, one owner at a time. */
export const createTimers = (work: (ownerId: string) => Promise<void>) => {
  const limited = pLimit(1)
  const timers = new Map<string, { due: number; timer: NodeJS.Timeout }>()
  let current = Promise.resolve()

  const start = (ownerId: string): void => {
    limited(() => {
      // A later change needs a new timer, because `work` may miss it.
      timers.delete(ownerId)
      current = work(ownerId)
      return current
    })
  }

  return {
    has: (ownerId: string): boolean => timers.has(ownerId),

    /** @param due in milliseconds since the epoch; an earlier time that is already set is kept. */
    set(ownerId: string, due: number): void {
      const set = timers.get(ownerId)
      if (set && set.due <= due) return
      clearTimeout(set?.timer)
      const timer = setTimeout(start, Math.max(0, due - Date.now()), ownerId)
      timers.set(ownerId, { due, timer })
    },

    /** Resolves after the current work. */
    async stop(): Promise<void> {
      for (const { timer } of timers.values()) clearTimeout(timer)
      timers.clear()
      limited.clearQueue()
      await current
    },
  }
}
