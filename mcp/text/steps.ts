import { setImmediate } from 'node:timers/promises'

/** The longest that a call keeps other requests of the process waiting. */
const STEP_MS = 5

/** Yields to the event loop when the last time is more than a few milliseconds ago. */
export const createSteps = () => {
  let yieldedAt = performance.now()
  return async (): Promise<void> => {
    if (performance.now() - yieldedAt < STEP_MS) return
    await setImmediate()
    yieldedAt = performance.now()
  }
}
