import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { inSystemTerminal, newMachine } from '../cli/svc.ts'
import { isRunning, makeDatabase, postgresPid, untilEnded } from '../embedded/support.ts'
import { spawnServer } from '../harness/process.ts'
import { scratch } from './support.ts'

setDefaultTimeout(120_000)

const ROOT = join(import.meta.dir, '../..')
/** Without the scripts that install packages. */
const NPM_START = ['npm', 'start', '--ignore-scripts', '--prefix', ROOT]

/** A directory with a database, on which the tests start in turn: to create one takes seconds. */
const dir = scratch()
const env = { SVC_DATA_DIR: dir.path }
beforeAll(() => makeDatabase(dir.path))
afterAll(() => dir[Symbol.dispose]())

// A server that does not stop keeps the directory.
afterEach(async () => {
  const pid = await svcPid()
  if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  await untilEnded(pid)
})

const svcPid = async () => Number(await Bun.file(join(dir.path, 'svc.pid')).text())

/** PostgreSQL deletes this file when it has stopped in order. */
const stoppedInOrder = () => !existsSync(join(dir.path, 'postgres/postmaster.pid'))

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

for (const signal of SIGNALS) {
  test(`${signal} to svc stops it and PostgreSQL in order, and the exit code is 0`, async () => {
    await using server = spawnServer(env)
    await server.url
    const postgres = postgresPid(dir.path)
    server.child.kill(signal)
    expect((await server.result()).code).toBe(0)
    expect(isRunning(postgres)).toBe(false)
    expect(stoppedInOrder()).toBe(true)
  })

  test(`${signal} to the npm of npm start stops npm, svc and PostgreSQL in order`, async () => {
    await using server = spawnServer(env, [], NPM_START)
    await server.url
    const [svc, postgres] = [await svcPid(), postgresPid(dir.path)]
    server.child.kill(signal)
    await server.child.exited
    // npm dies of SIGHUP, which it does not forward.
    expect(server.child.signalCode ?? server.child.exitCode).toBe(
      signal === 'SIGHUP' ? 'SIGHUP' : 0,
    )
    for (const pid of [svc, postgres]) await untilEnded(pid)
    expect(stoppedInOrder()).toBe(true)
  })
}

test('two SIGINT, of the terminal and of npm, stop svc in order', async () => {
  await using server = spawnServer({ ...env, SVC_DRAIN_SECONDS: '1' })
  await server.url
  server.child.kill('SIGINT')
  server.child.kill('SIGINT')
  expect((await server.result()).code).toBe(0)
  expect(stoppedInOrder()).toBe(true)
})

test('a terminal that closes stops npm start and PostgreSQL in order', async () => {
  const machine = newMachine()
  const terminal = inSystemTerminal({ ...machine, command: () => NPM_START }, [], {
    SVC_PORT: '0',
    ...env,
    SVC_LOG_LEVEL: 'debug',
  })
  await terminal.sees(/svc is running/)
  const [svc, postgres] = [await svcPid(), postgresPid(dir.path)]
  terminal.child.terminal?.close()
  for (const pid of [svc, postgres]) await untilEnded(pid)
  expect(stoppedInOrder()).toBe(true)
})

test('svc that nohup has started survives SIGHUP', async () => {
  await using server = spawnServer(env, ['nohup'])
  const url = await server.url
  server.child.kill('SIGHUP')
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.result()).code).toBe(0)
})
