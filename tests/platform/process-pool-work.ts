/** The entry file of the processes of `process-pool.test.ts`. */
import { serveTasks } from '../../server/platform/process/serve.ts'

export interface Work {
  /** CPU time. */
  spinMs?: number
  waitMs?: number
  /** Ends the process. */
  signal?: NodeJS.Signals
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

await serveTasks(async function* (header) {
  const { spinMs = 0, waitMs = 0, signal } = header as Work
  if (signal) process.kill(process.pid, signal)
  const end = cpuMs() + spinMs
  while (cpuMs() < end);
  await Bun.sleep(waitMs)
  yield 'done'
})
