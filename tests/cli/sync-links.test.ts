import { expect, test } from 'bun:test'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { deleteMemory } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { throughProxy } from './sync-proxy.ts'
import {
  currentOf,
  filesIn,
  NOTHING,
  newFolder,
  newSynced,
  type Synced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useSharedServer()

const LINK = 'is a symbolic link, which is not followed'

/** A folder beside the synced one, with a file, which no run may change. */
const newOutside = () => {
  const outside = newFolder()
  writeFileSync(join(outside, 'Tea.md'), 'Not of svc.\n')
  const list = () =>
    readdirSync(outside, { recursive: true, encoding: 'utf8' })
      .toSorted()
      .map((path) => [
        path,
        lstatSync(join(outside, path)).isFile() && readFileSync(join(outside, path), 'utf8'),
      ])
  const before = JSON.stringify(list())
  return { outside, expectUntouched: () => expect(JSON.stringify(list())).toBe(before) }
}

/** Runs until nothing changes. @returns the first run. */
const settles = async (folder: Synced) => {
  const first = await folder.synced()
  await folder.synced()
  expect(await folder.synced()).toMatchObject(NOTHING)
  return first
}

const relative = (outside: string) => `../${basename(outside)}`

test.each([
  ['a linked folder', 'Work', 'Work', (outside: string) => outside],
  ['a relative link', 'Work', 'Work', relative],
  ['a dangling link', 'Work', 'Work', (outside: string) => `${outside}/missing`],
  ['a link to a file', 'Work', 'Work', (outside: string) => `${outside}/Tea.md`],
  ['a link to itself', 'Work', 'Work', () => 'Work'],
  ['a link to the folder above', 'Work', 'Work', () => '..'],
  ['a link with another case', 'WORK', 'Work', (outside: string) => outside],
  ['a link in another form of Unicode', 'Cafe\u0301', 'Café', (outside: string) => outside],
  ['a file that is a link', 'Tea.md', undefined, (outside: string) => `${outside}/Tea.md`],
  ['a dangling link of a file', 'Tea.md', undefined, (outside: string) => `${outside}/new.md`],
] as const)(
  'nothing is written through %s, and the run goes on',
  async (_, link, thread, target) => {
    const folder = await newSynced(server.current)
    const { outside, expectUntouched } = newOutside()
    symlinkSync(target(outside), join(folder.root, link))
    folder.write('Mine.md', 'The heron is grey.')
    await store(folder, 'Tea', thread === undefined ? {} : { thread })
    const { skipped } = await settles(folder)
    expect(skipped).toEqual([{ path: link, problem: LINK }])
    expectUntouched()
    expect(lstatSync(join(folder.root, link)).isSymbolicLink()).toBe(true)
    expect(await textsOf(folder)).toEqual(['Tea', 'The heron is grey.'])
    expect(Object.values(folder.texts()).filter((text) => text === 'Tea')).toHaveLength(1)
  },
)

test.each([
  '.svc',
  '.svc/state.json',
  '.svc/lock',
  '.svc/.gitignore',
  '.svc/received.ndjson',
  '.svc/state.json.tmp',
])('nothing is written through a link in place of %s', async (path) => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.')
  const { outside, expectUntouched } = newOutside()
  if (path !== '.svc') mkdirSync(join(folder.root, '.svc'))
  for (const target of [outside, join(outside, 'Tea.md'), join(outside, 'new')]) {
    rmSync(join(folder.root, path), { force: true })
    symlinkSync(target, join(folder.root, path))
    const { code, stderr } = await folder.sync()
    expect(code === 0 || stderr.includes(LINK)).toBe(true)
    expectUntouched()
  }
})

test.each(['create', 'write', 'remove', 'supersede', 'conflict', 'forget'] as const)(
  'a folder that becomes a link during a run is not followed: %s',
  async (kind) => {
    const { proxy, folder } = await throughProxy(server)
    const { outside, expectUntouched } = newOutside()
    const id = await store(folder, 'Tea', { thread: 'Work' })
    await store(folder, 'The heron is grey.')
    await folder.synced()
    const file = 'Work/Tea.md'
    if (kind === 'create') await store(folder, 'Coffee', { thread: 'Work' })
    if (kind === 'write' || kind === 'conflict') await store(folder, 'Water', { supersedes: id })
    if (kind === 'remove')
      await folder.user.client.call(deleteMemory, { params: { memory_id: id } })
    if (kind === 'supersede' || kind === 'conflict')
      folder.edit(file, (text) => text.replace('Tea', 'Milk'))
    if (kind === 'forget') folder.remove(file)
    folder.write('New.md', 'A new file.')
    let isSwapped = false
    const swap = () => {
      if (isSwapped) return
      isSwapped = true
      renameSync(join(folder.root, 'Work'), join(folder.root, '.away'))
      symlinkSync(outside, join(folder.root, 'Work'))
    }
    const plain = proxy.intercept
    // The texts of what is written are read after the folder was read.
    proxy.intercept = async (path, forward) => {
      if (/^\/api\/(?:memories\/0|remember\/batch)/.test(path)) swap()
      return forward()
    }
    const { skipped } = await folder.synced('--allow-deletes', '9')
    proxy.intercept = plain
    expectUntouched()
    expect(skipped).toEqual([{ path: 'Work', problem: LINK }])
    // When the folder is back, everything arrives.
    expect(isSwapped).toBe(true)
    rmSync(join(folder.root, 'Work'))
    renameSync(join(folder.root, '.away'), join(folder.root, 'Work'))
    await settles(folder)
    expect(Object.values(folder.texts()).toSorted()).toEqual(await textsOf(folder))
  },
)

test.each([
  '../../escape',
  '/etc/passwd',
  '..',
  '.',
  './.svc',
  '.git/hooks',
  'C:\\Windows\\System32',
  '\\\\server\\share',
  'CON',
  'nul.txt',
  'a\u0001b',
  '~/.ssh',
  '%2e%2e/%2e%2e',
])('a memory of the thread %j is in a folder in the folder', async (thread) => {
  const folder = await newSynced(server.current)
  await store(folder, 'Tea', { thread })
  await settles(folder)
  const [path = ''] = filesIn(folder.root)
  expect(path).toMatch(/^[^./\\:][^/\\:]*\/Tea\.md$/)
  expect(path).not.toMatch(/^(?:con|nul)(?:\.|\/)/i)
})

test.each([
  '../../escape.md',
  '/tmp/svc-escape.md',
  '.git/hooks/post.md',
  'a/../../b.md',
  'a//b.md',
  '.svc/x.md',
  'run.sh',
])('a state that came with the folder does not place a file at %j', async (path) => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Tea')
  await folder.synced()
  folder.remove('Tea.md')
  const file = join(folder.root, '.svc/state.json')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(
    file,
    JSON.stringify({ ...state, base: [], cursor: undefined, places: [[id, path]] }),
  )
  expect(await folder.synced()).toMatchObject({ created: 1 })
  expect(filesIn(folder.root)).toEqual(['Tea.md'])
  expect(existsSync(join(folder.root, path))).toBe(false)
  expect(await currentOf(folder)).toHaveLength(1)
})
