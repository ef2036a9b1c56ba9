import { expect, onTestFinished, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { deleteMemory } from '../../shared/contract/index.ts'
import { useServer } from '../harness/server.ts'
import {
  currentOf,
  everyText,
  filesIn,
  NOTHING,
  newSynced,
  type Synced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useServer()

type Forward = () => Promise<Response>
type Intercept = (path: string, forward: Forward) => Promise<Response>

/** A proxy before the server, which a test can make fail. */
const startProxy = () => {
  const proxy = { intercept: ((_, forward) => forward()) as Intercept, url: '' }
  const listener = Bun.serve({
    port: 0,
    idleTimeout: 0,
    fetch(incoming) {
      const { pathname, search } = new URL(incoming.url)
      const forward = async () => {
        const headers = new Headers(incoming.headers)
        headers.delete('host')
        const body = ['GET', 'HEAD'].includes(incoming.method) ? undefined : await incoming.bytes()
        const response = await fetch(server.current.url + pathname + search, {
          ...{ method: incoming.method, headers },
          ...(body && { body }),
        })
        // The body was decompressed.
        const given = new Headers(response.headers)
        given.delete('content-encoding')
        given.delete('content-length')
        return new Response(response.body, { status: response.status, headers: given })
      }
      return proxy.intercept(pathname, forward)
    },
  })
  onTestFinished(() => listener.stop(true))
  proxy.url = `http://127.0.0.1:${listener.port}`
  return proxy
}

/** A folder that is synced through a proxy. */
const throughProxy = async () => {
  const proxy = startProxy()
  const folder = await newSynced({ url: proxy.url }, await newSynced(server.current))
  return { proxy, folder }
}

const spawnSync = ({ machine, root }: Synced, ...options: string[]) =>
  Bun.spawn(machine.command('sync', root, ...options), {
    env: machine.env,
    ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
  })

/** Changes on both sides, of each kind. @param round makes the texts of each call different. */
const changeBoth = async (folder: Synced, round: number): Promise<string[]> => {
  const kept: string[] = []
  const add = (text: string) => {
    kept.push(text)
    return text
  }
  const files = filesIn(folder.root)
  const current = await currentOf(folder)
  for (const [i, path] of files.slice(0, 3).entries())
    folder.edit(path, (text) =>
      text.replace(/\n[^\n]*\n$/, () => `\n${add(`Edit ${i} of ${round}.`)}\n`),
    )
  if (files[3]) folder.remove(files[3])
  const idOf = (path: string | undefined) =>
    path ? /^id: (\S+)$/m.exec(folder.read(path))?.[1] : ''
  const superseded = idOf(files[4])
  if (superseded) await store(folder, add(`Superseding in ${round}.`), { supersedes: superseded })
  const forgotten = idOf(files[5])
  if (forgotten) await folder.user.client.call(deleteMemory, { params: { memory_id: forgotten } })
  const conflicting = idOf(files[0])
  if (conflicting && current.some(({ memory_id }) => memory_id === conflicting))
    await store(folder, add(`The other edit of ${round}.`), { supersedes: conflicting })
  for (let i = 0; i < 3; i++) {
    folder.write(`File ${round} ${i}.md`, add(`New file ${i} of ${round}.`))
    await store(folder, add(`New memory ${i} of ${round}.`))
  }
  return kept
}

/** Runs until the end, and checks that both sides are equal, with each text once and none lost. */
const expectRepaired = async (folder: Synced, kept: string[]) => {
  await folder.synced('--allow-deletes', '1000')
  expect(await folder.synced()).toMatchObject(NOTHING)
  const texts = await textsOf(folder)
  expect(Object.values(folder.texts()).toSorted()).toEqual(texts)
  expect(new Set(texts).size).toBe(texts.length)
  const every = await everyText(folder)
  expect(kept.filter((text) => !every.has(text))).toEqual([])
  const left = readdirSync(folder.root, { recursive: true, encoding: 'utf8' })
  expect(left.filter((path) => path.endsWith('.tmp') || path.endsWith('.ndjson'))).toEqual([])
}

test.each(['before', 'after'] as const)(
  'kill -9 %s any request is repaired by the next run, without duplicates',
  async (moment) => {
    const { proxy, folder } = await throughProxy()
    const plain = proxy.intercept
    const kept = await changeBoth(folder, 0)
    await expectRepaired(folder, kept)
    let isKilled = true
    for (let round = 1; isKilled && round < 25; round++) {
      kept.push(...(await changeBoth(folder, round)))
      isKilled = false
      let count = 0
      proxy.intercept = async (_, forward) => {
        if (++count !== round) return forward()
        isKilled = true
        if (moment === 'after') await (await forward()).bytes()
        child.kill('SIGKILL')
        return new Response(null, { status: 500 })
      }
      const child = spawnSync(folder, '--allow-deletes', '1000')
      await child.exited
      proxy.intercept = plain
      await expectRepaired(folder, kept)
    }
    expect(isKilled).toBe(false)
  },
)

test('kill -9 while files are written is repaired by the next run', async () => {
  const folder = await newSynced(server.current)
  for (const at of [1, 20, 60]) {
    const expected = filesIn(folder.root).length + at
    for (let i = 0; i < 100; i++) await store(folder, `Memory ${i} of ${at}.`)
    const child = spawnSync(folder)
    while (child.exitCode === null && filesIn(folder.root).length < expected) await Bun.sleep(1)
    child.kill('SIGKILL')
    await child.exited
    await expectRepaired(folder, [])
  }
})

test('kill -9 while edits of the account are written is repaired by the next run', async () => {
  const folder = await newSynced(server.current)
  const ids = []
  for (let i = 0; i < 60; i++) ids.push(await store(folder, `Memory ${i}.`))
  await folder.synced()
  for (const [i, id] of ids.entries()) await store(folder, `Edited ${i}.`, { supersedes: id })
  const child = spawnSync(folder)
  const isStarted = () => Object.values(folder.texts()).some((text) => text.startsWith('Edited'))
  while (child.exitCode === null && !isStarted()) await Bun.sleep(1)
  child.kill('SIGKILL')
  await child.exited
  await expectRepaired(
    folder,
    ids.map((_, i) => `Edited ${i}.`),
  )
  expect(filesIn(folder.root)).toHaveLength(60)
})

test('two runs in one folder at the same time do not meet', async () => {
  const { proxy, folder } = await throughProxy()
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
  const { proxy, folder } = await throughProxy()
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
  const { proxy, folder } = await throughProxy()
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
  const { proxy, folder } = await throughProxy()
  for (let i = 0; i < 10; i++) await store(folder, `Memory ${i}.`)
  await folder.synced()
  const plain = proxy.intercept
  proxy.intercept = async (path, forward) => {
    if (path === '/api/memories/changes')
      return Response.json({ ...{ reset: true, memories: [], deleted: [] }, next_cursor: '0' })
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

test('an edit that an editor saves during a run is kept, and synced by the next one', async () => {
  const { proxy, folder } = await throughProxy()
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
