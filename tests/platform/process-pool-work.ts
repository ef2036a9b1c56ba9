/** The entry file of the processes of `process-pool.test.ts`. */
import { serveTasks } from '../../server/platform/process/serve.ts'

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

await serveTasks(async function* (header) {
  const { spinMs = 0, waitMs = 0 } = header as { spinMs?: number; waitMs?: number }
  const end = cpuMs() + spinMs
  while (cpuMs() < end);
  await Bun.sleep(waitMs)
  yield 'done'
})
