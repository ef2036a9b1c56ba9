import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { deleteMemory, restoreMemory, updateMemory } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import {
  bodyOf,
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

const BODY = 'Ada prefers tea.\n\nWith milk.'

/** Files with what only the person has. */
const FILES: [string, string | Buffer, number?][] = [
  ['front matter', `---\nmine: "x" # a comment\naliases: [a, b]\n---\n\n${BODY}\n`],
  ['front matter in braces', `---\n{mine: x, tags: [a]}\n---\n${BODY}\n`],
  ['no blank line and no line end', `---\nmine: 1\n---\n${BODY}`],
  ['CRLF', `---\r\nmine: 1\r\n---\r\n\r\n${BODY.replaceAll('\n', '\r\n')}\r\n`],
  ['a byte order mark', `\ufeff---\nmine: 1\n---\n\n${BODY}\n`],
  ['a byte order mark and CRLF', `\ufeff${BODY.replaceAll('\n', '\r\n')}\r\n`],
  ['mixed line ends', `---\r\nmine: 1\n---\r\n${BODY.replace('\n', '\r\n')}\n`],
  ['a mode of its own', `---\nmine: 1\n---\n${BODY}\n`, 0o640],
  ['a private mode', `${BODY}\n`, 0o600],
  ['blank lines around', `\n\n${BODY}\n\n\n`],
  ['a tab after the dashes', `--- \t\nmine: 1\n---\n${BODY}\n`],
  ['an own id', `---\nid: 0815\nmine: 1\n---\n${BODY}\n`],
]

/** A file in a folder of its own, as it is after a run. */
const withFile = async (text: string | Buffer, mode = 0o644) => {
  const folder = await newSynced(server.current)
  const path = 'drinks/My tea.md'
  const full = join(folder.root, path)
  folder.write(path, '')
  writeFileSync(full, text)
  chmodSync(full, mode)
  // Without it, an only file would be a large part of all.
  for (let i = 0; i < 2; i++) folder.write(`Other ${i}.md`, `Number ${i}.`)
  await folder.synced()
  const before = readFileSync(full)
  const memory = (await currentOf(folder)).find(({ content_text }) => /tea/.test(content_text))
  return {
    folder,
    path,
    full,
    id: memory?.memory_id ?? '',
    expectAsBefore() {
      expect(readFileSync(full).toString('hex')).toBe(before.toString('hex'))
      expect(statSync(full).mode & 0o7777).toBe(mode)
    },
  }
}

const keptFiles = ({ root }: Synced): string[] => {
  const kept = join(root, '.svc/kept')
  if (!existsSync(kept)) return []
  return readdirSync(kept, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(kept, path)).isFile())
    .toSorted()
}

describe.each(FILES)('a file with %s is as it was', (_, text, mode) => {
  test('after it was deleted, and --undo', async () => {
    const { folder, path, expectAsBefore } = await withFile(text, mode)
    folder.remove(path)
    expect(await folder.synced()).toMatchObject({ forgotten: 1 })
    expect((await folder.sync('--undo')).stderr).toContain('Restored 1 memory.')
    expectAsBefore()
    expect(await folder.synced()).toMatchObject(NOTHING)
    expectAsBefore()
  })

  test('after its memory was forgotten and restored in the account', async () => {
    const { folder, full, id, expectAsBefore } = await withFile(text, mode)
    const { client } = folder.user
    await client.call(deleteMemory, { params: { memory_id: id } })
    expect(await folder.synced()).toMatchObject({ removed: 1 })
    expect(existsSync(full)).toBe(false)
    await client.call(restoreMemory, { params: { memory_id: id } })
    expect(await folder.synced()).toMatchObject({ created: 1 })
    expectAsBefore()
    expect(await folder.synced()).toMatchObject(NOTHING)
    expectAsBefore()
  })
})

test('edits between the runs are in the kept file', async () => {
  const { folder, path, id } = await withFile(`---\nmine: 1\n---\n${BODY}\n`)
  folder.edit(path, (text) => text.replace('mine: 1', 'mine: 2 # later'))
  await folder.synced()
  const before = folder.read(path)
  expect(before).toContain('mine: 2 # later')
  for (let round = 0; round < 3; round++) {
    folder.remove(path)
    await folder.synced()
    await folder.synced('--undo')
    expect(folder.read(path)).toBe(before)
  }
  expect((await currentOf(folder)).some(({ memory_id }) => memory_id === id)).toBe(true)
})

test('a version that the account replaces is kept, and the front matter stays in the file', async () => {
  const { folder, path, full, id } = await withFile(`\n\n---\n\n${BODY}\n\n\n`, 0o640)
  const before = readFileSync(full)
  const water = await store(folder, 'Ada prefers water.', { supersedes: id })
  await folder.synced()
  const [kept = ''] = keptFiles(folder)
  expect(kept).toEndWith(path)
  expect(readFileSync(join(folder.root, '.svc/kept', kept)).equals(before)).toBe(true)
  expect(statSync(join(folder.root, '.svc/kept', kept)).mode & 0o777).toBe(0o640)
  // The latest one is restored, not the first one.
  folder.edit(path, (text) => text.replace('id:', 'mine: 1\nid:'))
  await folder.synced()
  const second = folder.read(path)
  const { client } = folder.user
  await client.call(deleteMemory, { params: { memory_id: water } })
  await client.call(deleteMemory, { params: { memory_id: id } })
  await folder.synced('--allow-deletes', '9')
  await client.call(restoreMemory, { params: { memory_id: water } })
  await folder.synced()
  expect(folder.read(path)).toBe(second)
})

test('a memory that changed while it was forgotten comes back with the front matter of the person', async () => {
  const { folder, path, id } = await withFile(`---\nmine: 1 # x\n---\n${BODY}\n`)
  const { client } = folder.user
  await client.call(deleteMemory, { params: { memory_id: id } })
  await folder.synced()
  await client.call(restoreMemory, { params: { memory_id: id } })
  await client.call(updateMemory, { params: { memory_id: id }, body: { tags: ['drinks'] } })
  await folder.synced()
  expect(folder.read(path)).toContain('mine: 1 # x\n')
  expect(folder.read(path)).toContain('  - drinks\n')
  expect(bodyOf(folder.read(path))).toBe(BODY)
  expect(await folder.synced()).toMatchObject(NOTHING)
})

test('another file at the old path stays, and the restored one gets a free name', async () => {
  const { folder, path } = await withFile(`---\nmine: 1\n---\n${BODY}\n`)
  const before = folder.read(path)
  folder.remove(path)
  await folder.synced()
  folder.write(path, 'The heron is grey.')
  await folder.synced('--undo')
  expect(bodyOf(folder.read(path))).toBe('The heron is grey.')
  const restored = filesIn(folder.root).filter((each) => folder.read(each) === before)
  expect(restored).toHaveLength(1)
})

test('the second folder of an account gets its own file back', async () => {
  const { folder, path } = await withFile(`${BODY}\n`)
  const second = await newSynced(server.current, folder)
  await second.synced()
  renameSync(join(second.root, 'Ada prefers tea.md'), join(second.root, 'Elsewhere.md'))
  second.edit('Elsewhere.md', (text) => text.replace('id:', 'theirs: 1\nid:'))
  await second.synced()
  const before = second.read('Elsewhere.md')
  folder.remove(path)
  await folder.synced()
  expect(await second.synced()).toMatchObject({ removed: 1 })
  await folder.synced('--undo')
  expect(await second.synced()).toMatchObject({ created: 1 })
  expect(second.read('Elsewhere.md')).toBe(before)
  for (const each of [folder, second]) expect(await each.synced()).toMatchObject(NOTHING)
})

const dayBefore = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('kept files are deleted after 30 days, and nothing beside them', async () => {
  const { folder, path, id } = await withFile(`---\nmine: 1\n---\n${BODY}\n`)
  folder.remove(path)
  await folder.synced()
  const kept = join(folder.root, '.svc/kept')
  const [today = ''] = readdirSync(kept)
  for (const day of [29, 30, 31, 400].map(dayBefore)) {
    mkdirSync(join(kept, day, `${id}.1`), { recursive: true })
    writeFileSync(join(kept, day, `${id}.1`, 'Old.md'), 'old')
  }
  const outside = newFolder()
  writeFileSync(join(outside, 'Mine.md'), 'mine')
  symlinkSync(outside, join(kept, dayBefore(500)))
  symlinkSync(outside, join(kept, dayBefore(400), 'link'))
  mkdirSync(join(kept, 'my own folder'))
  await folder.synced()
  expect(readdirSync(kept).toSorted()).toEqual(
    [today, dayBefore(29), dayBefore(30), 'my own folder'].toSorted(),
  )
  expect(readdirSync(outside)).toEqual(['Mine.md'])
})

test('a link in place of the kept files stops the deletion of files, and the run goes on', async () => {
  const { folder, full, id } = await withFile(`---\nmine: 1\n---\n${BODY}\n`)
  const outside = newFolder()
  symlinkSync(outside, join(folder.root, '.svc/kept'))
  await folder.user.client.call(deleteMemory, { params: { memory_id: id } })
  folder.write('New.md', 'The heron is grey.')
  const { skipped, remembered } = await folder.synced()
  expect(remembered).toBe(1)
  expect(skipped).toEqual([
    { path: '.svc/kept', problem: 'is a symbolic link, which is not followed' },
  ])
  expect(existsSync(full)).toBe(true)
  expect(readdirSync(outside)).toEqual([])
  expect(await textsOf(folder)).toContain('The heron is grey.')
})
