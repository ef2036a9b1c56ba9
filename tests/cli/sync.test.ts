import { expect, test } from 'bun:test'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { deleteMemory, getMemory, updateMemory } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { currentOf, filesIn, idIn, NOTHING, newSynced, store, textsOf } from './sync-support.ts'

const server = useSharedServer()

test('memories become files with front matter, and files become memories', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Ada prefers tea.', {
    tags: ['drinks', 'a b'],
    occurred_at: '2026-01-02T03:04:05Z',
  })
  folder.write('work/Boiler.md', 'The boiler is blue.\n')
  expect(await folder.synced()).toMatchObject({
    ...NOTHING,
    remembered: 1,
    created: 1,
    skipped: [],
  })
  expect(folder.texts()).toEqual({
    'Ada prefers tea.md': 'Ada prefers tea.',
    'work/Boiler.md': 'The boiler is blue.',
  })
  const { created_at } = await folder.user.client.call(getMemory, { params: { memory_id: id } })
  expect(folder.read('Ada prefers tea.md')).toBe(
    [
      ...['---', `id: ${id}`, 'type: semantic', 'tags:', '  - drinks', '  - a b'],
      ...['happened: 2026-01-02T03:04:05.000Z', `created: ${created_at}`, 'source: api_key'],
      ...['---', '', 'Ada prefers tea.', ''],
    ].join('\n'),
  )
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.', 'The boiler is blue.'])
  expect(await folder.synced()).toMatchObject(NOTHING)
})

test('an edited text supersedes its memory, and edited properties update it', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Ada prefers tea.', { tags: ['drinks'] })
  await folder.synced()
  const path = 'Ada prefers tea.md'
  folder.edit(path, (text) => text.replace('prefers tea', 'prefers coffee'))
  expect(await folder.synced()).toMatchObject({ ...NOTHING, superseded: 1 })
  const [memory, ...others] = await currentOf(folder)
  expect(others).toEqual([])
  expect(memory).toMatchObject({
    content_text: 'Ada prefers coffee.',
    supersedes: id,
    tags: ['drinks'],
  })
  expect(filesIn(folder.root)).toEqual([path])
  expect(idIn(folder.read(path))).toBe(memory?.memory_id ?? '')

  folder.edit(path, (text) =>
    text.replace('  - drinks', '  - coffee').replace('semantic', 'preference'),
  )
  expect(await folder.synced()).toMatchObject({ ...NOTHING, updated: 1 })
  expect(await currentOf(folder)).toMatchObject([
    { memory_id: memory?.memory_id, tags: ['coffee'], memory_type: 'preference' },
  ])
  expect(await folder.synced()).toMatchObject(NOTHING)
})

test('changes in the account change, supersede and delete the files', async () => {
  const folder = await newSynced(server.current)
  const { client } = folder.user
  const tea = await store(folder, 'Ada prefers tea.')
  const boiler = await store(folder, 'The boiler is blue.')
  const heron = await store(folder, 'The heron is grey.')
  await folder.synced()
  const white = await store(folder, 'The heron is white.', { supersedes: heron })
  await client.call(updateMemory, { params: { memory_id: tea }, body: { tags: ['drinks'] } })
  await client.call(deleteMemory, { params: { memory_id: boiler } })
  expect(await folder.synced()).toMatchObject({ ...NOTHING, written: 2, removed: 1 })
  expect(folder.texts()).toEqual({
    'Ada prefers tea.md': 'Ada prefers tea.',
    'The heron is grey.md': 'The heron is white.',
  })
  expect(folder.read('Ada prefers tea.md')).toContain('  - drinks\n')
  expect(idIn(folder.read('The heron is grey.md'))).toBe(white)
  expect(await folder.synced()).toMatchObject(NOTHING)
})

test('a deleted file forgets its memory, and a renamed one stays the same memory', async () => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.')
  await store(folder, 'The boiler is blue.')
  await folder.synced()
  const before = await currentOf(folder)
  folder.write('Kitchen/.keep', '')
  renameSync(join(folder.root, 'Ada prefers tea.md'), join(folder.root, 'Kitchen/Tea.md'))
  folder.remove('The boiler is blue.md')
  expect(await folder.synced()).toMatchObject({ ...NOTHING, forgotten: 1 })
  expect(await currentOf(folder)).toEqual(
    before.filter(({ content_text }) => /tea/.test(content_text)),
  )
  expect(folder.texts()).toEqual({ 'Kitchen/Tea.md': 'Ada prefers tea.' })

  const undone = await folder.sync('--undo')
  expect(undone.stderr).toContain('Restored 1 memory.')
  expect(folder.texts()).toEqual({
    'Kitchen/Tea.md': 'Ada prefers tea.',
    'The boiler is blue.md': 'The boiler is blue.',
  })
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.', 'The boiler is blue.'])
  expect(await folder.synced()).toMatchObject(NOTHING)
})
