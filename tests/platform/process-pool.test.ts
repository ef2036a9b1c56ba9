import { afterAll, expect, onTestFinished, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProcessPool } from '../../server/platform/process/pool.ts'
import type { Work } from './process-pool-work.ts'

const HOUR_MS = 3_600_000
const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

/** A pool with these limits. @returns a function that runs a task: its items, or why it was killed. */
const poolWith = (limits: { taskCpuMs: number; taskMs: number }) => {
  const pool = stack.use(
    createProcessPool({
      entry: join(import.meta.dir, 'process-pool-work.ts'),
      size: 1,
      memoryBytes: 512 * 1024 * 1024,
      cpuSeconds: 600,
      ...limits,
    }),
  )
  return (header: Work) => {
    const items = pool.run({ header, bytes: new Uint8Array() }, new AbortController().signal)
    return Array.fromAsync(items).catch(({ reason }) => `killed: ${reason}`)
  }
}

test('a task that exceeds its CPU time is killed', async () => {
  const run = poolWith({ taskCpuMs: 1_000, taskMs: HOUR_MS })
  expect(await run({ spinMs: HOUR_MS })).toBe('killed: time')
})

test('a task that exceeds its time without using a processor is killed', async () => {
  const run = poolWith({ taskCpuMs: HOUR_MS, taskMs: 1_000 })
  expect(await run({ waitMs: HOUR_MS })).toBe('killed: time')
})

test('a task that waits for a processor for longer than its CPU limit completes', async () => {
  const run = poolWith({ taskCpuMs: 1_500, taskMs: HOUR_MS })
  expect(await run({ waitMs: 2_000 })).toEqual(['done'])
})

test('the CPU time of earlier tasks in the same process does not count', async () => {
  const run = poolWith({ taskCpuMs: 1_500, taskMs: HOUR_MS })
  for (let i = 0; i < 4; i++) expect(await run({ spinMs: 500 })).toEqual(['done'])
})

test('a crashed process is reported as out of memory, a terminated one as ended', async () => {
  const run = poolWith({ taskCpuMs: HOUR_MS, taskMs: HOUR_MS })
  expect(await run({ signal: 'SIGSEGV' })).toBe('killed: memory')
  expect(await run({ signal: 'SIGTERM' })).toBe('killed: ended')
  expect(await run({})).toEqual(['done'])
})

test('a process that ran out of memory gets no other task', async () => {
  const run = poolWith({ taskCpuMs: HOUR_MS, taskMs: HOUR_MS })
  expect(await run({})).toEqual(['done'])
  expect(await run({ fails: true })).toBe('killed: memory')
  expect(await run({})).toEqual(['done'])
})

test('a child process ignores the bunfig.toml of the current folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pool-'))
  const previous = process.cwd()
  onTestFinished(() => {
    process.chdir(previous)
    rmSync(folder, { recursive: true, force: true })
  })
  const loaded = join(folder, 'loaded')
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]\n')
  writeFileSync(join(folder, 'preload.ts'), `await Bun.write(${JSON.stringify(loaded)}, '')\n`)
  process.chdir(folder)
  const run = poolWith({ taskCpuMs: HOUR_MS, taskMs: HOUR_MS })
  expect(await run({ waitMs: 1 })).toEqual(['done'])
  expect(existsSync(loaded)).toBe(false)
})
