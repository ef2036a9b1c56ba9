import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryHistory } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import {
  currentOf,
  filesIn,
  idIn,
  NOTHING,
  newSynced,
  type Synced,
  store,
  textsOf,
} from './sync-support.ts'

const server = useSharedServer()

/** Runs both until nothing changes, and checks that they have the same texts. */
const converge = async (first: Synced, second: Synced) => {
  for (const each of [first, second, first, second]) await each.synced()
  for (const each of [first, second]) expect(await each.synced()).toMatchObject(NOTHING)
  const texts = await textsOf(first)
  for (const each of [first, second]) expect(Object.values(each.texts()).toSorted()).toEqual(texts)
}

describe('a thread that is named like a file', () => {
  test.each([
    ['Work', 'Work', 'Work 2/Tea.md'],
    ['roadmap.md', 'roadmap.md', 'roadmap.md 2/Tea.md'],
    ['work', 'Work', 'Work 2/Tea.md'],
    ['ROADMAP.MD', 'roadmap.md', 'roadmap.md 2/Tea.md'],
    ['Cafe\u0301', 'Café', 'Café 2/Tea.md'],
    ['notes.txt', 'notes.txt', 'notes.txt 2/Tea.md'],
    ['a b', 'a: b', 'a b 2/Tea.md'],
  ])('the file %j and the thread %j', async (file, thread, expected) => {
    const folder = await newSynced(server.current)
    const second = await newSynced(server.current, folder)
    folder.write(file, 'The heron is grey.')
    await store(folder, 'Tea', { thread })
    const { stdout, code } = await folder.sync()
    expect(code).toBe(0)
    expect(stdout).toContain(`new file      ${expected}, as this is no folder: `)
    expect(folder.read(file)).toContain('The heron is grey.')
    // Later ones join the first one.
    await store(folder, 'Coffee', { thread })
    expect((await folder.synced()).changes).toMatchObject([
      { action: 'created', path: expected.replace('Tea', 'Coffee') },
    ])
    await converge(folder, second)
  })

  test('two files and a thread of their name', async () => {
    const folder = await newSynced(server.current)
    folder.write('Work', 'one')
    folder.write('Work 2', 'two')
    await store(folder, 'Tea', { thread: 'Work' })
    expect((await folder.synced()).changes).toMatchObject([
      { path: 'Work 3/Tea.md', other: 'Work' },
    ])
  })

  test('a file that takes the place of the folder of a deleted file', async () => {
    const folder = await newSynced(server.current)
    const second = await newSynced(server.current, folder)
    const id = await store(folder, 'Tea', { thread: 'Work' })
    for (const each of [folder, second]) await each.synced()
    renameSync(join(folder.root, 'Work'), join(folder.root, '.away'))
    writeFileSync(join(folder.root, 'Work'), 'a file')
    await store(folder, 'Coffee', { supersedes: id, thread: 'Work' })
    expect((await folder.synced()).changes).toMatchObject([
      { action: 'created', path: 'Work 2/Coffee.md' },
    ])
    await converge(folder, second)
    expect(readFileSync(join(folder.root, 'Work'), 'utf8')).toBe('a file')
  })

  test('a folder of another case is the folder of the thread', async () => {
    const folder = await newSynced(server.current)
    folder.write('WORK/Mine.md', 'The heron is grey.')
    await store(folder, 'Tea', { thread: 'Work' })
    await folder.synced()
    expect(filesIn(folder.root)).toEqual(['WORK/Mine.md', 'WORK/Tea.md'])
  })

  test('a folder that is named like a new file', async () => {
    const folder = await newSynced(server.current)
    mkdirSync(join(folder.root, 'Tea.md'))
    await store(folder, 'Tea')
    await folder.synced()
    expect(existsSync(join(folder.root, 'Tea 2.md'))).toBe(true)
    expect(await folder.synced()).toMatchObject(NOTHING)
  })
})

describe('a conflict in a long name', () => {
  test.each([
    ['230 bytes', 'x'.repeat(227)],
    ['252 bytes', 'x'.repeat(252)],
    ['accents', 'é'.repeat(126)],
    ['emoji', '😀'.repeat(63)],
    ['words', 'word '.repeat(50).trim()],
    ['a name with a point at the cut', `${'x'.repeat(220)}. . . . . . . . . . . . . y`],
  ])('%s: both versions are kept, on both machines', async (_, name) => {
    const folder = await newSynced(server.current)
    const second = await newSynced(server.current, folder)
    folder.write(`long/${name}.md`, 'Ada prefers tea.')
    await folder.synced()
    const [memory] = await currentOf(folder)
    let latest = memory?.memory_id ?? ''
    for (const round of [1, 2, 3]) {
      folder.edit(`long/${name}.md`, (text) =>
        text.replace(/prefers.*\./, `prefers water ${round}.`),
      )
      latest = await store(folder, `Ada prefers milk ${round}.`, { supersedes: latest })
      const { conflict, changes } = await folder.synced()
      expect(conflict).toBe(1)
      const copy = changes.find(({ other }) => other)?.other ?? ''
      expect(copy).toMatch(/^long\/.*[^ .] \(conflict \d{4}-\d\d-\d\d\)(?: \d)?\.md$/)
      expect(folder.texts()[copy]).toBe(`Ada prefers water ${round}.`)
    }
    await converge(folder, second)
    expect(await currentOf(folder)).toHaveLength(4)
  })
})

const NFC = 'Caf\u00e9'
const NFD = 'Cafe\u0301'

/** A file without its front matter, as an editor that knows none leaves it. */
const strip = (folder: Synced, path: string, text: string) => folder.write(path, `${text}\n`)

const historyOf = async (folder: Synced, memory_id: string) =>
  (await folder.user.client.call(memoryHistory, { params: { memory_id } })).length

describe('a name in two forms of Unicode', () => {
  test.each([
    ['a file', `${NFC}.md`, `${NFD}.md`],
    ['a file, the other way', `${NFD}.md`, `${NFC}.md`],
    ['a folder', `${NFC}/Tea.md`, `${NFD}/Tea.md`],
    ['a folder and a file', `${NFC}/${NFC}.md`, `${NFD}/${NFD}.md`],
    ['a mixed name', `${NFC} ${NFD}.md`, `${NFD} ${NFC}.md`],
    ['Hangul', '\ud55c.md', '\u1112\u1161\u11ab.md'],
  ])(
    'a rename between them keeps the memory, with an edit and without an id: %s',
    async (_, from, to) => {
      const folder = await newSynced(server.current)
      for (const isStripped of [false, true]) {
        const text = `Ada prefers tea, ${isStripped}.`
        folder.write(from, text)
        await folder.synced()
        const id = idIn(folder.read(from))
        const content = folder.read(from).replace('tea', 'milk')
        folder.remove(from)
        if (isStripped) strip(folder, to, `Ada prefers milk, ${isStripped}.`)
        else folder.write(to, content)
        expect(await folder.synced()).toMatchObject({ ...NOTHING, superseded: 1 })
        const current = await currentOf(folder)
        expect(current.map(({ supersedes }) => supersedes)).toContain(id)
        folder.remove(to)
        await folder.synced('--allow-deletes', '9')
      }
    },
  )

  test.each([false, true])(
    'two files are both kept, and keep their memories (without ids: %j)',
    async (isStripped) => {
      const folder = await newSynced(server.current)
      const second = await newSynced(server.current, folder)
      folder.write(`${NFC}.md`, 'Composed.')
      folder.write(`${NFD}.md`, 'Decomposed.')
      await folder.synced()
      const ids = [NFC, NFD].map((name) => idIn(folder.read(`${name}.md`)))
      for (const [name, text] of [
        [NFC, 'Composed, edited.'],
        [NFD, 'Decomposed, edited.'],
      ] as const)
        if (isStripped) strip(folder, `${name}.md`, text)
        else folder.edit(`${name}.md`, (old) => old.replace(/omposed\./, 'omposed, edited.'))
      expect(await folder.synced()).toMatchObject({ ...NOTHING, superseded: 2 })
      const current = await currentOf(folder)
      expect(current.map(({ supersedes }) => supersedes).toSorted()).toEqual(ids.toSorted())
      await converge(folder, second)
      folder.remove(`${NFC}.md`)
      await folder.synced('--allow-deletes', '9')
      expect(folder.texts()).toEqual({ [`${NFD}.md`]: 'Decomposed, edited.' })
      await folder.synced('--undo')
      expect(folder.texts()).toEqual({
        [`${NFC}.md`]: 'Composed, edited.',
        [`${NFD}.md`]: 'Decomposed, edited.',
      })
    },
  )

  test('two files exchange their names', async () => {
    const folder = await newSynced(server.current)
    folder.write(`${NFC}.md`, 'Composed.')
    folder.write(`${NFD}.md`, 'Decomposed.')
    await folder.synced()
    const [a, b] = [folder.read(`${NFC}.md`), folder.read(`${NFD}.md`)]
    folder.write(`${NFC}.md`, b)
    folder.write(`${NFD}.md`, a)
    expect(await folder.synced()).toMatchObject(NOTHING)
    expect(await historyOf(folder, idIn(a))).toBeLessThan(2)
  })

  test('a copy in the other form becomes a memory of its own', async () => {
    const folder = await newSynced(server.current)
    folder.write(`${NFD}.md`, 'One.')
    await folder.synced()
    const id = idIn(folder.read(`${NFD}.md`))
    folder.write(`${NFC}.md`, folder.read(`${NFD}.md`).replace('One.', 'Two.'))
    expect(await folder.synced()).toMatchObject({ ...NOTHING, remembered: 1 })
    expect(idIn(folder.read(`${NFD}.md`))).toBe(id)
    expect(folder.texts()).toEqual({ [`${NFC}.md`]: 'Two.', [`${NFD}.md`]: 'One.' })
  })
})
