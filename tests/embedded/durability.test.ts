import { expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnServer } from '../harness/process.ts'
import { newUser, request } from '../harness/server.ts'
import { scratch } from '../start/support.ts'
import { makeDatabase, postgresPid, stop } from './support.ts'

setDefaultTimeout(300_000)

const WRITES = 20
const BENCH = fileURLToPath(new URL('../../bench/durability.ts', import.meta.url))

/** Records what a process and its children sync, until it is stopped. */
const traceSyncs = async (pid: number, output: string) => {
  const threads = [pid, ...childrenOf(pid)]
  const child = Bun.spawn(
    [
      'strace',
      '-f',
      '-e',
      'trace=fsync,fdatasync',
      '-o',
      output,
      ...threads.map((id) => `-p${id}`),
    ],
    { stdout: 'ignore', stderr: 'pipe' },
  )
  let written = ''
  const decoder = new TextDecoder()
  const attached = Promise.withResolvers<void>()
  const read = async () => {
    for await (const chunk of child.stderr) {
      written += decoder.decode(chunk, { stream: true })
      if (threads.every((id) => written.includes(`Process ${id} attached`))) attached.resolve()
    }
    attached.reject(new Error(`strace ended: ${written}`))
  }
  void read()
  await attached.promise
  return {
    async stop(): Promise<number> {
      child.kill('SIGINT')
      await child.exited
      return [...readFileSync(output, 'utf8').matchAll(/\bf(data)?sync\(/g)].length
    },
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync(`/proc/${parent}/task`).flatMap((thread) =>
    readFileSync(`/proc/${parent}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )

const hasStrace = spawnSync('strace', ['-V']).status === 0

test.skipIf(!hasStrace)(
  'every acknowledged write is synced to disk before the response',
  async () => {
    using dir = scratch()
    await makeDatabase(dir.path)
    await using server = spawnServer({ SVC_DATA_DIR: dir.path })
    const url = await server.url
    const { key } = await newUser({ url })
    const trace = await traceSyncs(postgresPid(dir.path), join(dir.path, 'strace.txt'))
    // One after the other, so that no two share a sync.
    for (let n = 0; n < WRITES; n++) {
      const body = { content: `Memory number ${n}.` }
      const { status } = await request({ url }, 'POST', '/api/remember', { token: key, body })
      expect(status).toBe(201)
    }
    expect(await trace.stop()).toBeGreaterThanOrEqual(WRITES)
    await stop(server)
  },
)

test('every acknowledged memory exists after a kill -9 of svc, PostgreSQL or both, and in a snapshot', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...[BENCH, '--rounds', '4', '--writers', '3', '--most', '300'],
      ...['--svc', process.env.TEST_SVC ?? ''],
    ],
    { encoding: 'utf8' },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const rows = [...stdout.matchAll(/^.*?(kill \w+|snapshot)\D+(\d+)\D+(\d+)\D+(\d+)/gm)]
  expect(rows.map(([, way, rounds, , missing]) => [way, rounds, missing])).toEqual([
    ['kill svc', '1', '0'],
    ['kill PostgreSQL', '1', '0'],
    ['kill both', '1', '0'],
    ['snapshot', '1', '0'],
  ])
  for (const [, , , acknowledged] of rows) expect(Number(acknowledged)).toBeGreaterThan(0)
})
