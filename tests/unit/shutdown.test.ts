import { expect, test } from 'bun:test'
import { createLog } from '../../server/platform/log.ts'
import { boundedStage } from '../../server/platform/shutdown.ts'

const started = () => {
  const lines: string[] = []
  return { lines, log: createLog('info', { write: (line) => lines.push(line) }) }
}

test('a shutdown stage that never finishes is logged by name and skipped', async () => {
  const { lines, log } = started()
  const stop = boundedStage(log, {
    name: 'jobs',
    timeoutMs: 20,
    stop: () => new Promise(() => {}),
  })
  await stop()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { stage: 'jobs', timeout_ms: 20, msg: 'a shutdown stage did not finish in time' },
  ])
})

test('a shutdown stage that finishes in time is not logged', async () => {
  const { lines, log } = started()
  await boundedStage(log, { name: 'mail', timeoutMs: 1_000, stop: () => Bun.sleep(1) })()
  expect(lines).toEqual([])
})

test('a failing shutdown stage rethrows its error', async () => {
  const { log } = started()
  const stop = boundedStage(log, {
    name: 'mail',
    stop: () => {
      throw new Error('closed twice')
    },
  })
  expect(await stop().catch(String)).toBe('Error: closed twice')
})
