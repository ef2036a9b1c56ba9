/**
 * Preloaded into the measured server: records the longest CPU time of the main thread between two
 * iterations of the event loop. CPU time, unlike wall time, excludes other load on the machine. The
 * parent process reads the value over IPC.
 */
import { readFileSync } from 'node:fs'

const TICK_MS = 2

/** The CPU time of the main thread (on Linux the first field of `schedstat`, in nanoseconds). */
const cpuMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6

let longest = 0
let last = cpuMs()
const timer = setInterval(() => {
  const now = cpuMs()
  longest = Math.max(longest, now - last)
  last = now
}, TICK_MS)
timer.unref()

process.on('message', () => {
  process.send?.({ longest })
  longest = 0
  last = cpuMs()
})
