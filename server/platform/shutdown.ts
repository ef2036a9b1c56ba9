import type { Log } from './log.ts'

/** One step of the shutdown. */
export interface ShutdownStage {
  /** Named in the log when the stage does not finish. */
  name: string
  /** Milliseconds after which the shutdown continues without this stage; 5 seconds if left out. */
  timeoutMs?: number
  stop(): unknown
}

const TIMEOUT_MS = 5_000

/**
 * Bounds a stage: a query that never settles, because PostgreSQL was killed, must not keep the process
 * alive.
 * @returns a function for `AsyncDisposableStack.defer`.
 */
export const boundedStage =
  (log: Log, { name, timeoutMs = TIMEOUT_MS, stop }: ShutdownStage) =>
  async (): Promise<void> => {
    const timeout = Promise.withResolvers<'timeout'>()
    const timer = setTimeout(() => timeout.resolve('timeout'), timeoutMs)
    const stopped = (async () => {
      await stop()
    })()
    const outcome = await Promise.race([stopped, timeout.promise]).finally(() =>
      clearTimeout(timer),
    )
    if (outcome !== 'timeout') return
    log.error({ stage: name, timeout_ms: timeoutMs }, 'a shutdown stage did not finish in time')
    stopped.catch((error: unknown) => log.error({ stage: name, error }, 'a shutdown stage failed'))
  }
