import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

const PARENT_POLL_MS = 500
/** The bit of SIGHUP in a mask of signals. */
const HANGUP = 1n

/**
 * Calls `stop` at each SIGTERM and SIGINT, and when the terminal closes (SIGHUP), unless `nohup` has
 * started this process. npm forwards SIGINT, which its terminal sends to this process too, so `stop` may
 * be called several times at once.
 * @param followsParent also stops when the parent process has ended: npm forwards neither SIGHUP nor the
 * end of its own process.
 */
export const onStopSignal = (stop: () => void, followsParent: boolean): void => {
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  if (ignoresHangup()) return
  process.on('SIGHUP', stop)
  if (!followsParent) return
  const parent = process.ppid
  const poll = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(poll)
    stop()
  }, PARENT_POLL_MS)
  poll.unref()
}

/** A handler would replace the disposition that `nohup` has set. */
const ignoresHangup = (): boolean => (BigInt(`0x0${ignoredSignals().trim()}`) & HANGUP) !== 0n

/** @returns the hexadecimal mask of the signals that this process ignores. */
const ignoredSignals = (): string => {
  if (process.platform === 'linux')
    return /^SigIgn:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''
  return spawnSync('ps', ['-o', 'sigignore=', '-p', String(process.pid)]).stdout?.toString() ?? ''
}
