/** The entry file of the processes of `process-pool.test.ts`. */
import { serveTasks } from '../../server/platform/process/protocol.ts'

export interface Work {
  /** CPU time. */
  spinMs?: number
  waitMs?: number
  /** Ends the process. */
  signal?: NodeJS.Signals
  /** Fails as an allocation does. */
  fails?: boolean
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let hasFailed = false

await serveTasks(async function* (header) {
  const { spinMs = 0, waitMs = 0, signal, fails } = header as Work
  if (signal) process.kill(process.pid, signal)
  const end = cpuMs() + spinMs
  while (cpuMs() < end);
  await Bun.sleep(waitMs)
  if (fails) {
    hasFailed = true
    throw new RangeError('Out of memory')
  }
  yield hasFailed ? 'done after a failure' : 'done'
})
