import { describe, expect, test } from 'bun:test'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { deleteMemory, updateMemory } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal } from './svc.ts'
import { currentOf, filesIn, idIn, NOTHING, newSynced, store, textsOf } from './sync-support.ts'

const server = useSharedServer()

const many = async (count: number) => {
  const folder = await newSynced(server.current)
  for (let i = 0; i < count; i++) folder.write(`Note ${i}.md`, `The number is ${i}.\n`)
  await folder.synced()
  return folder
}

describe('a conflict', () => {
  test('two edits of one memory are both kept, in files and as memories', async () => {
    const folder = await newSynced(server.current)
    const id = await store(folder, 'Ada prefers tea.')
    await folder.synced()
    const path = 'Ada prefers tea.md'
    folder.edit(path, (text) => text.replace('id:', 'mine: [1,2]\nid:').replace('tea.', 'coffee.'))
    const water = await store(folder, 'Ada prefers water.', { supersedes: id })
    const { conflict, changes } = await folder.synced()
    expect(conflict).toBe(1)
    const copy = changes.find(({ action }) => action === 'conflict')?.other ?? ''
    expect(copy).toMatch(/^Ada prefers tea \(conflict \d{4}-\d\d-\d\d\)\.md$/)
    expect(folder.texts()).toEqual({ [path]: 'Ada prefers water.', [copy]: 'Ada prefers coffee.' })
    expect(idIn(folder.read(path))).toBe(water)
    expect(folder.read(copy)).toContain('mine: [1,2]\n')
    expect(await textsOf(folder)).toEqual(['Ada prefers coffee.', 'Ada prefers water.'])
    expect(await folder.synced()).toMatchObject(NOTHING)
  })

  test('an edit is kept where the other side deleted', async () => {
    const folder = await newSynced(server.current)
    const tea = await store(folder, 'Ada prefers tea.')
    const heron = await store(folder, 'The heron is grey.')
    await folder.synced()
    folder.edit('Ada prefers tea.md', (text) => text.replace('tea.', 'coffee.'))
    await folder.user.client.call(deleteMemory, { params: { memory_id: tea } })
    folder.remove('The heron is grey.md')
    await store(folder, 'The heron is white.', { supersedes: heron })
    expect(await folder.synced()).toMatchObject({ ...NOTHING, remembered: 1, created: 1 })
    expect(Object.values(folder.texts()).toSorted()).toEqual([
      'Ada prefers coffee.',
      'The heron is white.',
    ])
    expect(await textsOf(folder)).toEqual(['Ada prefers coffee.', 'The heron is white.'])
  })

  test('the same edit on both sides is no conflict', async () => {
    const folder = await newSynced(server.current)
    const id = await store(folder, 'Ada prefers tea.')
    await folder.synced()
    folder.edit('Ada prefers tea.md', (text) => text.replace('tea.', 'coffee.'))
    const coffee = await store(folder, 'Ada prefers coffee.', { supersedes: id })
    expect(await folder.synced()).toMatchObject(NOTHING)
    expect(idIn(folder.read('Ada prefers tea.md'))).toBe(coffee)
    expect(await currentOf(folder)).toHaveLength(1)
  })
})

test('two folders of an account exchange their edits', async () => {
  const first = await newSynced(server.current)
  const second = await newSynced(server.current, first)
  first.write('Tea.md', 'Ada prefers tea.')
  second.write('Heron.md', 'The heron is grey.')
  for (const each of [first, second, first]) await each.synced()
  expect(first.texts()).toEqual({
    'Tea.md': 'Ada prefers tea.',
    'The heron is grey.md': 'The heron is grey.',
  })
  first.edit('The heron is grey.md', (text) => text.replace('grey', 'white'))
  second.remove('Ada prefers tea.md')
  for (const each of [first, second, first]) await each.synced()
  expect(first.texts()).toEqual({ 'The heron is grey.md': 'The heron is white.' })
  expect(second.texts()).toEqual({ 'Heron.md': 'The heron is white.' })
})

describe('deleted files', () => {
  test('a large part of deleted files stops a run in a pipe, and nothing changes', async () => {
    const folder = await many(10)
    for (let i = 0; i < 4; i++) folder.remove(`Note ${i}.md`)
    folder.write('New.md', 'A new note.')
    const stopped = await folder.sync()
    expect(stopped).toMatchObject({ code: 1, stdout: '' })
    expect(stopped.stderr).toContain('error: 4 of 10 files are missing.')
    expect(stopped.stderr).toContain('--allow-deletes 4')
    expect(await currentOf(folder)).toHaveLength(10)
    expect((await folder.sync('--allow-deletes', '3')).code).toBe(1)
    expect(await folder.synced('--allow-deletes', '4')).toMatchObject({
      forgotten: 4,
      remembered: 1,
    })
    expect(await currentOf(folder)).toHaveLength(7)
  })

  test('a large part of deleted files is asked for at a terminal', async () => {
    const folder = await many(4)
    for (let i = 0; i < 4; i++) folder.remove(`Note ${i}.md`)
    for (const [answer, left] of [
      ['n', 4],
      ['y', 0],
    ] as const) {
      const terminal = inTerminal(folder.machine, ['sync', folder.root])
      await terminal.sees(/4 of 4 files are missing. Forget their memories\? \[y\/N\] /)
      terminal.type(`${answer}\r`)
      expect(await terminal.child.exited).toBe(answer === 'y' ? 0 : 1)
      expect(await currentOf(folder)).toHaveLength(left)
    }
    expect((await folder.sync('--undo')).stderr).toContain('Restored 4 memories.')
    expect(filesIn(folder.root)).toEqual(['Note 0.md', 'Note 1.md', 'Note 2.md', 'Note 3.md'])
  })

  test('a file that is missing with the state is written again', async () => {
    const folder = await many(3)
    rmSync(join(folder.root, '.svc'), { recursive: true })
    folder.remove('Note 1.md')
    expect(await folder.synced()).toMatchObject({ ...NOTHING, created: 1 })
    expect(await currentOf(folder)).toHaveLength(3)
  })

  test('a large part of deleted memories stops a run in a pipe, too', async () => {
    const folder = await many(10)
    for (const { memory_id } of (await currentOf(folder)).slice(0, 5))
      await folder.user.client.call(deleteMemory, { params: { memory_id } })
    const stopped = await folder.sync()
    expect(stopped.code).toBe(1)
    expect(stopped.stderr).toContain('5 of 10 memories are not in the account any more.')
    expect(filesIn(folder.root)).toHaveLength(10)
    expect(await folder.synced('--allow-deletes', '5')).toMatchObject({ removed: 5 })
  })
})

test('a copy with the same id becomes a memory of its own when it differs', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Ada prefers tea.')
  await folder.synced()
  copyFileSync(join(folder.root, 'Ada prefers tea.md'), join(folder.root, 'A copy.md'))
  const same = await folder.synced()
  expect(same.changes).toEqual([
    { action: 'duplicate', path: 'A copy.md', memory_id: id, other: 'Ada prefers tea.md' },
  ])
  folder.edit('A copy.md', (text) => text.replace('tea.', 'coffee.'))
  expect(await folder.synced()).toMatchObject({ ...NOTHING, remembered: 1 })
  expect(idIn(folder.read('Ada prefers tea.md'))).toBe(id)
  expect(await textsOf(folder)).toEqual(['Ada prefers coffee.', 'Ada prefers tea.'])
})

test('a text that moves from one file to another one stays a memory', async () => {
  const folder = await newSynced(server.current)
  for (const text of ['Tea.', 'Coffee.']) await store(folder, text)
  await folder.synced()
  folder.edit('Tea.md', (text) => text.replace('Tea.', 'Water.'))
  folder.edit('Coffee.md', (text) => text.replace('Coffee.', 'Tea.'))
  folder.write('New.md', 'Coffee.')
  await folder.synced()
  expect(await folder.synced()).toMatchObject(NOTHING)
  expect(folder.texts()).toEqual({ 'Coffee.md': 'Tea.', 'New.md': 'Coffee.', 'Tea.md': 'Water.' })
  expect(await textsOf(folder)).toEqual(['Coffee.', 'Tea.', 'Water.'])
})

test('a file that lost its front matter stays the same memory', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Ada prefers tea.', { tags: ['drinks'] })
  await folder.synced()
  folder.write('Ada prefers tea.md', 'Ada prefers tea.\n')
  expect(await folder.synced()).toMatchObject({ ...NOTHING, updated: 1 })
  expect(await currentOf(folder)).toMatchObject([{ memory_id: id, tags: [] }])
  expect(idIn(folder.read('Ada prefers tea.md'))).toBe(id)
})

test('a file that was moved and lost its front matter is not forgotten', async () => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.')
  await folder.synced()
  folder.remove('Ada prefers tea.md')
  folder.write('Moved.md', 'Ada prefers tea.\n')
  expect(await folder.synced()).toMatchObject({ forgotten: 0 })
  expect(folder.texts()).toEqual({ 'Moved.md': 'Ada prefers tea.' })
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.'])
})

test('a deleted file whose memory changed gets the same name again', async () => {
  const folder = await newSynced(server.current)
  folder.write('birds/My heron.md', 'The heron is grey.')
  await folder.synced()
  const [memory] = await currentOf(folder)
  folder.remove('birds/My heron.md')
  await store(folder, 'The heron is white.', { supersedes: memory?.memory_id ?? '' })
  expect(await folder.synced()).toMatchObject({ ...NOTHING, created: 1 })
  expect(folder.texts()).toEqual({ 'birds/My heron.md': 'The heron is white.' })
})

test('properties that the account refuses are named, and the file stays', async () => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.', { thread: 'one' })
  await store(folder, 'Ada prefers tea.', { thread: 'two' })
  await folder.synced()
  folder.edit('two/Ada prefers tea.md', (text) => text.replace('thread: two', 'thread: one'))
  const { skipped } = await folder.synced()
  expect(skipped).toMatchObject([
    { path: 'two/Ada prefers tea.md', problem: expect.stringContaining('was refused') },
  ])
  expect(folder.read('two/Ada prefers tea.md')).toContain('thread: one')
  expect(await currentOf(folder)).toHaveLength(2)
})

test('a deletion names the command that undoes it', async () => {
  const folder = await many(2)
  folder.remove('Note 0.md')
  const { stderr } = await folder.sync()
  expect(stderr).toContain(`To restore what was forgotten, run: svc sync ${folder.root} --undo`)
})

test('a change in the account reaches a file that could not be read meanwhile', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Ada prefers tea.')
  await folder.synced()
  const file = folder.read('Ada prefers tea.md')
  folder.write('Ada prefers tea.md', '')
  await folder.user.client.call(updateMemory, {
    params: { memory_id: id },
    body: { tags: ['drinks'] },
  })
  expect(await folder.synced()).toMatchObject({ ...NOTHING, skipped: [{ problem: 'is empty' }] })
  folder.write('Ada prefers tea.md', file)
  expect(await folder.synced()).toMatchObject({ ...NOTHING, written: 1 })
  expect(folder.read('Ada prefers tea.md')).toContain('  - drinks\n')
})

test('a new file with the text of a memory without a file becomes its file', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Ada prefers tea.', { tags: ['drinks'] })
  folder.write('My tea.md', 'Ada prefers tea.')
  await folder.synced()
  expect(filesIn(folder.root)).toEqual(['My tea.md'])
  expect(await currentOf(folder)).toMatchObject([{ memory_id: id, tags: [] }])
  expect(await folder.synced()).toMatchObject(NOTHING)
})
