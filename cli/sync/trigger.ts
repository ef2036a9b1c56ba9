import { sleep } from '../../shared/timers.ts'

/** A batch of memories is several events. */
const SETTLE_MS = 300
/** Obsidian saves every two seconds while one types. Each synced save of a text supersedes its memory. */
const QUIET_MS = 3_000
/** The longest wait for a quiet folder. */
const MAX_WAIT_MS = 60_000

/** A flag that can be awaited: changes that arrive during a run lead to one more run. */
export const createTrigger = ({
  settleMs = SETTLE_MS,
  quietMs = QUIET_MS,
  maxWaitMs = MAX_WAIT_MS,
} = {}) => {
  let isSet = false
  let savedAt = Number.NEGATIVE_INFINITY
  let resolve = () => {}
  const set = () => {
    isSet = true
    resolve()
  }
  return {
    /** A change of the account. */
    set,
    /** A change in the folder. */
    setSaved(): void {
      savedAt = performance.now()
      set()
    },
    /** Resolves after a change, when no file was saved for a moment, or at the timeout, or when the signal is aborted. */
    async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
      if (!isSet) {
        const changed = new Promise<void>((done) => {
          resolve = done
        })
        const timeout = new AbortController()
        const ends = AbortSignal.any([signal, timeout.signal])
        await Promise.race([changed, sleep(timeoutMs, ends)])
        timeout.abort()
      }
      await sleep(settleMs, signal)
      const endsAt = performance.now() + maxWaitMs
      for (;;) {
        const now = performance.now()
        const ms = Math.min(savedAt + quietMs, endsAt) - now
        if (ms <= 0 || signal.aborted) break
        await sleep(ms, signal)
      }
      isSet = false
    },
  }
}

export type SyncTrigger = ReturnType<typeof createTrigger>
