import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { useSharedServer } from '../harness/server.ts'
import { throughProxy } from './sync-proxy.ts'
import {
  currentOf,
  expectRepaired,
  filesIn,
  NOTHING,
  newSynced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useSharedServer()

test('two runs in one folder at the same time do not meet', async () => {
  const { proxy, folder } = await throughProxy(server)
  for (let i = 0; i < 5; i++) folder.write(`Note ${i}.md`, `The number is ${i}.`)
  const held = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  proxy.intercept = async (path, forward) => {
    if (path === '/api/remember/batch') {
      reached.resolve()
      await held.promise
    }
    return forward()
  }
  const first = folder.sync()
  await reached.promise
  const second = await folder.sync()
  expect(second).toMatchObject({ code: 1, stdout: '' })
  expect(second.stderr).toContain('Another svc sync is using')
  held.resolve()
  expect((await first).code).toBe(0)
  expect(await currentOf(folder)).toHaveLength(5)
})

test('a dry run leaves the file that another run is writing, and a later run deletes what is left', async () => {
  const folder = await newSynced(server.current)
  folder.write('Tea.md', 'Ada prefers tea.')
  const written = '.svc-b4b8a9d2-6c1f-4c64-9b1e-0d6f3a1c2e57.tmp'
  folder.write(written, 'half a file')
  expect(await folder.synced('--dry-run')).toMatchObject({ remembered: 1 })
  expect(folder.read(written)).toBe('half a file')
  await folder.synced()
  expect(existsSync(join(folder.root, written))).toBe(false)
})

test('two folders that sync at the same time converge', async () => {
  const first = await newSynced(server.current)
  const second = await newSynced(server.current, first)
  const folders = [first, second]
  for (let round = 0; round < 3; round++) {
    for (const [i, each] of folders.entries()) {
      for (let n = 0; n < 5; n++)
        each.write(`N ${round} ${n}.md`, `Number ${n} of ${i} in ${round}.`)
      each.write(`Same ${round}.md`, `Both wrote this in ${round}.`)
      const [path] = filesIn(each.root)
      if (path) each.edit(path, (text) => text.replace(/\.\n$|\.$/, ` and ${i}.\n`))
    }
    await Promise.all(folders.map((each) => each.synced('--allow-deletes', '100')))
  }
  for (const each of [...folders, ...folders]) await each.synced('--allow-deletes', '100')
  for (const each of folders) expect(await each.synced()).toMatchObject(NOTHING)
  const texts = await textsOf(first)
  for (const each of folders) expect(Object.values(each.texts()).toSorted()).toEqual(texts)
  expect(texts.filter((text) => text.startsWith('Both wrote this in 2'))).toHaveLength(1)
})

test('a server that limits requests is waited for', async () => {
  const { proxy, folder } = await throughProxy(server)
  folder.write('Tea.md', 'Ada prefers tea.')
  let refusals = 0
  proxy.intercept = async (path, forward) => {
    if (path !== '/api/remember/batch' || refusals === 2) return forward()
    refusals++
    return Response.json(
      { detail: 'Too many requests' },
      { status: 429, headers: { 'retry-after': '0' } },
    )
  }
  const { code, stderr } = await folder.sync()
  expect(code).toBe(0)
  expect(stderr).toContain('The server is busy. Waiting for 1 s …')
  expect(refusals).toBe(2)
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.'])
})

test('a connection that is cut is an error, and loses nothing', async () => {
  const { proxy, folder } = await throughProxy(server)
  for (let i = 0; i < 30; i++) await store(folder, `Memory ${i}.`)
  folder.write('Tea.md', 'Ada prefers tea.')
  const plain = proxy.intercept
  proxy.intercept = async (path, forward) => {
    if (path !== '/api/memories/export') return forward()
    const bytes = await (await forward()).bytes()
    return new Response(bytes.subarray(0, bytes.length / 2), {
      headers: { 'content-type': 'application/x-ndjson' },
    })
  }
  const { code } = await folder.sync()
  expect(code).toBe(1)
  // Nothing that was not received counts as deleted.
  expect(folder.texts()).toEqual({ 'Tea.md': 'Ada prefers tea.' })
  proxy.intercept = plain
  await expectRepaired(folder, [])
  expect(await currentOf(folder)).toHaveLength(31)
})

test('a list of memories that a proxy cuts at the end of a line deletes no file', async () => {
  const { proxy, folder } = await throughProxy(server)
  for (let i = 0; i < 10; i++) await store(folder, `Memory ${i}.`)
  await folder.synced()
  const plain = proxy.intercept
  proxy.intercept = async (path, forward) => {
    if (path === '/api/memories/changes')
      return Response.json({ reset: true, memories: [], deleted: [], next_cursor: '0' })
    if (path !== '/api/memories/export') return forward()
    const lines = (await (await forward()).text()).trim().split('\n')
    return new Response(`${lines.slice(0, 9).join('\n')}\n`, {
      headers: { 'content-type': 'application/x-ndjson' },
    })
  }
  expect(await folder.synced()).toMatchObject(NOTHING)
  proxy.intercept = plain
  expect(await folder.synced()).toMatchObject(NOTHING)
  expect(filesIn(folder.root)).toHaveLength(10)
})

test('a file that an editor deletes for a moment is not forgotten', async () => {
  const { proxy, folder } = await throughProxy(server)
  folder.write('Tea.md', 'Ada prefers tea.')
  await folder.synced()
  const file = folder.read('Tea.md')
  folder.remove('Tea.md')
  folder.write('Heron.md', 'The heron is grey.')
  proxy.intercept = async (path, forward) => {
    if (path === '/api/remember/batch') folder.write('Tea.md', file)
    return forward()
  }
  expect(await folder.synced()).toMatchObject({ ...NOTHING, remembered: 1 })
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.', 'The heron is grey.'])
})

test('an edit that an editor saves during a run is kept, and synced by the next one', async () => {
  const { proxy, folder } = await throughProxy(server)
  for (let i = 0; i < 5; i++) folder.write(`Note ${i}.md`, `The number is ${i}.`)
  let isEdited = false
  proxy.intercept = async (path, forward) => {
    const response = await forward()
    if (path === '/api/remember/batch' && !isEdited) {
      isEdited = true
      for (let i = 0; i < 5; i++) folder.write(`Note ${i}.md`, `The number was ${i}.`)
    }
    return response
  }
  await folder.synced()
  expect(isEdited).toBe(true)
  expect(await folder.synced()).toMatchObject(NOTHING)
  const texts = [0, 1, 2, 3, 4].map((i) => `The number was ${i}.`)
  expect(Object.values(folder.texts()).toSorted()).toEqual(texts)
  expect(await textsOf(folder)).toEqual(texts)
})

test('a server of an older version is named, and nothing is changed', async () => {
  const { proxy, folder } = await throughProxy(server)
  folder.write('Tea.md', 'Ada prefers tea.')
  const problem = {
    loc: ['path', 'memory_id'],
    type: 'value_error',
    msg: 'Input should be a valid UUID',
  }
  proxy.intercept = async (path, forward) =>
    path === '/api/memories/changes'
      ? Response.json({ detail: [problem] }, { status: 422, headers: { 'x-request-id': 'a' } })
      : forward()
  const { code, stderr } = await folder.sync()
  expect([code, stderr]).toEqual([1, expect.stringContaining('The server is of an older version')])
  expect(folder.texts()).toEqual({ 'Tea.md': 'Ada prefers tea.' })
})
