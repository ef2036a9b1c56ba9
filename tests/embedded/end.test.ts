import { expect, setDefaultTimeout, test } from 'bun:test'
import { spawnServer } from '../harness/process.ts'
import { scratch } from '../start/support.ts'
import {
  isRunning,
  makeDatabase,
  postgresPid,
  processesOn,
  rememberOn,
  stop,
  untilEnded,
  untilReady,
} from './support.ts'

setDefaultTimeout(120_000)

test('PostgreSQL exits after a kill -9 of svc, and the next start finds every memory', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  const env = { SVC_DATA_DIR: dir.path }
  await using first = spawnServer(env)
  const isRemembered = await rememberOn(await first.url)
  const pid = postgresPid(dir.path)
  first.child.kill('SIGKILL')
  await untilEnded(pid)
  await using second = spawnServer(env)
  expect(await isRemembered(await second.url)).toBe(true)
  await stop(second)
})

test('a PostgreSQL that outlives svc is stopped by the next start', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  const env = { SVC_DATA_DIR: dir.path }
  await using first = spawnServer(env)
  const isRemembered = await rememberOn(await first.url)
  const pid = postgresPid(dir.path)
  const [watcher] = processesOn(dir.path).filter(({ command }) => command.startsWith('sh '))
  if (!watcher) throw new Error('nothing watches for the end of svc')
  process.kill(watcher.pid, 'SIGKILL')
  first.child.kill('SIGKILL')
  await first.child.exited
  expect(isRunning(pid)).toBe(true)
  await using second = spawnServer(env)
  expect(await isRemembered(await second.url)).toBe(true)
  expect(isRunning(pid)).toBe(false)
  await stop(second)
})

test('svc restarts PostgreSQL after a kill -9 of it, and no memory is lost', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  await using server = spawnServer({ SVC_DATA_DIR: dir.path })
  const url = await server.url
  const isRemembered = await rememberOn(url)
  const pid = postgresPid(dir.path)
  process.kill(pid, 'SIGKILL')
  await untilEnded(pid)
  await untilReady(url)
  expect(await isRemembered(url)).toBe(true)
  expect(postgresPid(dir.path)).not.toBe(pid)
  await stop(server)
})

test('no process of svc runs after it stops in order', async () => {
  using dir = scratch()
  await makeDatabase(dir.path)
  await using server = spawnServer({ SVC_DATA_DIR: dir.path })
  await server.url
  const started = processesOn(dir.path)
  expect(started.length).toBeGreaterThan(1)
  await stop(server)
  for (const { pid } of started) await untilEnded(pid)
})
