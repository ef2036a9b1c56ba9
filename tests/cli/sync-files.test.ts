import { describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useSharedServer } from '../harness/server.ts'
import {
  currentOf,
  filesIn,
  NOTHING,
  newFolder,
  newSynced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useSharedServer()

const many = async (count: number) => {
  const folder = await newSynced(server.current)
  for (let i = 0; i < count; i++) folder.write(`Note ${i}.md`, `The number is ${i}.\n`)
  await folder.synced()
  return folder
}

describe('files that are no memories', () => {
  test('files that cannot be memories are named and skipped, and count as present', async () => {
    const folder = await many(2)
    const outside = newFolder()
    writeFileSync(join(outside, 'secret.md'), 'A secret.')
    symlinkSync(join(outside, 'secret.md'), join(folder.root, 'link.md'))
    symlinkSync(outside, join(folder.root, 'folder'))
    folder.write('Long.md', 'x'.repeat(32_001))
    folder.write('Huge.md', 'x'.repeat(500_000))
    writeFileSync(join(folder.root, 'Binary.md'), new Uint8Array([0xff, 0xfe, 0, 1]))
    folder.write('Null.md', 'a\0b')
    folder.write('Broken.md', '---\na: [\n---\ntext')
    folder.write('Empty.md', '\n')
    folder.write('Note 0.md', '')
    folder.write('.obsidian/plugin.md', 'hidden')
    folder.write('.trash/Old.md', 'hidden')
    folder.write('picture.png', 'no text')
    const { skipped, ...counts } = await folder.synced()
    expect(counts).toMatchObject(NOTHING)
    expect(Object.fromEntries(skipped.map(({ path, problem }) => [path, problem]))).toMatchObject({
      'Binary.md': 'is not UTF-8 text',
      'Broken.md': expect.stringContaining('has front matter that is not YAML'),
      'Empty.md': 'is empty',
      'Huge.md': 'is too large for a memory',
      'Long.md': 'has more than 32,000 characters',
      'Note 0.md': 'is empty',
      'Null.md': 'is not a text',
      folder: 'is a symbolic link, which is not followed',
      'link.md': 'is a symbolic link, which is not followed',
    })
    expect(await currentOf(folder)).toHaveLength(2)
    expect((await folder.sync()).stderr).toContain('Skipped: Empty.md is empty.\n')
  })

  test('a link in place of a synced file or folder does not forget its memory', async () => {
    const folder = await newSynced(server.current)
    folder.write('work/Tea.md', 'Ada prefers tea.')
    folder.write('Heron.md', 'The heron is grey.')
    await folder.synced()
    const outside = newFolder()
    renameSync(join(folder.root, 'work'), join(outside, 'work'))
    symlinkSync(join(outside, 'work'), join(folder.root, 'work'))
    renameSync(join(folder.root, 'Heron.md'), join(outside, 'Heron.md'))
    symlinkSync(join(outside, 'Heron.md'), join(folder.root, 'Heron.md'))
    expect(await folder.synced()).toMatchObject(NOTHING)
    expect(await currentOf(folder)).toHaveLength(2)
  })
})

test('names with every character that the system allows are synced', async () => {
  const folder = await newSynced(server.current)
  const names = [
    'a\nb',
    '"quoted"',
    "it's",
    'tab\t',
    '😀',
    '\u0001',
    'back\\slash',
    'e\u0301',
    '*?<>|:',
    ' ',
  ]
  for (const [i, name] of names.entries()) folder.write(`${name}.md`, `Number ${i}.`)
  // Not UTF-8: named, and nothing else.
  const bad = Buffer.concat([
    Buffer.from(`${folder.root}/bad`),
    Buffer.from([0xff]),
    Buffer.from('.md'),
  ])
  writeFileSync(bad, 'Not reachable.')
  const { remembered, skipped } = await folder.synced()
  expect(remembered).toBe(names.length)
  expect(skipped.map(({ path }) => path)).toEqual(['bad\ufffd.md'])
  expect(await folder.synced()).toMatchObject(NOTHING)
  // A terminal would obey it.
  folder.remove('\u0001.md')
  expect((await folder.sync()).stdout).not.toContain('\u0001')
})

test('names of new files are unique, also on a system without regard to case', async () => {
  const folder = await newSynced(server.current)
  const texts = [
    'Tea',
    'TEA',
    'tea!',
    'CON',
    '../../escape',
    '.hidden',
    'a/b',
    '',
    '\u00e9t\u00e9',
    'e\u0301te\u0301',
  ]
  for (const [i, text] of texts.entries()) await store(folder, `${text}\n${i}`)
  await folder.synced()
  const files = filesIn(folder.root)
  expect(files).toHaveLength(texts.length)
  expect(new Set(files.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(texts.length)
  expect(existsSync(join(folder.root, '../../escape.md'))).toBe(false)
})

test('the memories of a thread begin in a folder of its name, and stay where they are moved to', async () => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.', { thread: 'chat: kitchen' })
  await folder.synced()
  expect(filesIn(folder.root)).toEqual(['chat kitchen/Ada prefers tea.md'])
  renameSync(join(folder.root, 'chat kitchen/Ada prefers tea.md'), join(folder.root, 'Tea.md'))
  folder.edit('Tea.md', (text) => text.replace('tea.', 'coffee.'))
  expect(await folder.synced()).toMatchObject({ ...NOTHING, superseded: 1 })
  expect(await currentOf(folder)).toMatchObject([
    { content_text: 'Ada prefers coffee.', thread: 'chat: kitchen', position: 1 },
  ])
})

test('a secret that the server redacts stays in the file, and is stored once', async () => {
  const folder = await newSynced(server.current)
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  folder.write('Key.md', `The key is ${secret}.\n`)
  await folder.synced()
  expect(await textsOf(folder)).toHaveLength(1)
  expect(await folder.synced()).toMatchObject(NOTHING)
  folder.edit('Key.md', (text) => text.replace(secret, `${secret.slice(0, -1)}9`))
  await folder.synced()
  expect(await folder.synced()).toMatchObject(NOTHING)
  expect(await textsOf(folder)).toHaveLength(1)
  expect(folder.read('Key.md')).toContain('ghp_')
})

test('CRLF, the mode and properties of a file survive a change in the account', async () => {
  const folder = await newSynced(server.current)
  folder.write('Tea.md', '---\r\nmine: "x"\r\n---\r\nAda\r\nprefers tea.\r\n')
  chmodSync(join(folder.root, 'Tea.md'), 0o640)
  await folder.synced()
  const [memory] = await currentOf(folder)
  expect(memory?.content_text).toBe('Ada\nprefers tea.')
  await store(folder, 'Ada\nprefers coffee.', { supersedes: memory?.memory_id ?? '' })
  await folder.synced()
  const file = folder.read('Tea.md')
  expect(file).toStartWith('---\r\nmine: "x"\r\nid: ')
  expect(file).toEndWith('\r\n---\r\n\r\nAda\r\nprefers coffee.\r\n')
  expect(file.replaceAll('\r\n', '')).not.toContain('\n')
  expect(statSync(join(folder.root, 'Tea.md')).mode & 0o777).toBe(0o640)
})
