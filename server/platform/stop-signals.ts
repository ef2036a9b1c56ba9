import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

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
