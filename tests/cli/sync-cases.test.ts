import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createOrg, deleteMemory, updateMemory } from '../../shared/contract/index.ts'
import { useServer } from '../harness/server.ts'
import { inTerminal } from './svc.ts'
import {
  currentOf,
  everyText,
  filesIn,
  idIn,
  NOTHING,
  newFolder,
  newSynced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useServer()

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

  test.skipIf(process.getuid?.() === 0)(
    'the memories of a folder that cannot be read are not forgotten',
    async () => {
      const folder = await newSynced(server.current)
      folder.write('work/Tea.md', 'Ada prefers tea.')
      await folder.synced()
      chmodSync(join(folder.root, 'work'), 0)
      expect(await folder.synced()).toMatchObject({ ...NOTHING, skipped: [{ path: 'work' }] })
      chmodSync(join(folder.root, 'work'), 0o700)
    },
  )
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

test('a folder in git is ignored by git where it is the state, and a checkout is edits', async () => {
  const folder = await newSynced(server.current)
  const git = (...args: string[]) => {
    const config = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    const { exitCode, stderr, stdout } = Bun.spawnSync(['git', ...config, ...args], {
      cwd: folder.root,
    })
    if (exitCode !== 0) throw new Error(stderr.toString())
    return stdout.toString()
  }
  git('init', '-q', '-b', 'main')
  folder.write('Tea.md', 'Ada prefers tea.')
  folder.write('Heron.md', 'The heron is grey.')
  await folder.synced()
  git('add', '.')
  expect(git('ls-files').trim().split('\n')).toEqual(['Heron.md', 'Tea.md'])
  git('commit', '-qm', 'One')
  git('checkout', '-qb', 'other')
  folder.edit('Tea.md', (text) => text.replace('tea', 'coffee'))
  await folder.synced()
  git('commit', '-qam', 'Two')
  git('checkout', '-q', 'main')
  // The file has the id of the superseded memory again, and its text.
  expect(await folder.synced()).toMatchObject({ ...NOTHING, superseded: 1 })
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.', 'The heron is grey.'])
  expect(await everyText(folder)).toContain('Ada prefers coffee.')
})

test('a folder belongs to one account', async () => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.')
  await folder.synced()
  const other = await newSynced(server.current)
  const refused = await other.machine.svc(['sync', folder.root])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('belongs to another account')
  expect(await textsOf(other)).toEqual([])
})

test('the memories of an organization are synced with --org', async () => {
  const folder = await newSynced(server.current)
  const { id: org_id } = await folder.user.client.call(createOrg, { body: { name: 'Acme' } })
  folder.write('Deploy.md', 'We deploy on Fridays.')
  expect(await folder.synced('--org', org_id)).toMatchObject({ remembered: 1 })
  expect(await textsOf(folder)).toEqual([])
  expect((await folder.sync()).code).toBe(1)
  expect(await folder.synced('--org', 'Acme')).toMatchObject(NOTHING)
})

test('a dry run writes nothing on either side', async () => {
  const folder = await newSynced(server.current)
  await store(folder, 'Ada prefers tea.')
  folder.write('Heron.md', 'The heron is grey.')
  const shown = await folder.sync('--dry-run')
  expect(shown.stdout).toBe(
    'new file      Ada prefers tea.md\nremembered    Heron.md\nWould do: 1 remembered, 1 file created\n',
  )
  expect(await textsOf(folder)).toEqual(['Ada prefers tea.'])
  expect(existsSync(join(folder.root, '.svc'))).toBe(false)
  expect(readFileSync(join(folder.root, 'Heron.md'), 'utf8')).toBe('The heron is grey.')
  expect(await folder.synced()).toMatchObject({ remembered: 1, created: 1 })
})

test('a damaged state is an error that names the fix, and loses nothing', async () => {
  const folder = await many(2)
  writeFileSync(join(folder.root, '.svc/state.json'), '{')
  const damaged = await folder.sync()
  expect(damaged.code).toBe(1)
  expect(damaged.stderr).toContain('is damaged')
  rmSync(join(folder.root, '.svc'), { recursive: true })
  folder.edit('Note 0.md', (text) => text.replace('0.', 'zero.'))
  await folder.synced()
  // Without the state, both versions stay.
  expect(await textsOf(folder)).toEqual([
    'The number is 0.',
    'The number is 1.',
    'The number is zero.',
  ])
  mkdirSync(join(folder.root, 'empty'))
  expect(await folder.synced()).toMatchObject(NOTHING)
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

test('a folder that cannot be written to is an error that names it', async () => {
  const folder = await newSynced(server.current)
  writeFileSync(join(folder.root, '.svc'), 'a file')
  const refused = await folder.sync()
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`Cannot write to ${join(folder.root, '.svc')}: EEXIST.`)
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
