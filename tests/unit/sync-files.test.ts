import { expect, onTestFinished, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFile, removeFile, replaceFile } from '../../cli/sync/files.ts'
import { BlockedPath } from '../../cli/sync/folder.ts'

const newFolder = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'svc-files-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

const withFile = (text: string) => {
  const root = newFolder()
  const path = join(root, 'Note.md')
  writeFileSync(path, text)
  return { root, path, read: () => readFileSync(path, 'utf8') }
}

test('a new file does not replace one that appeared meanwhile', async () => {
  const { root, read } = withFile('mine')
  expect(await createFile(root, 'Note.md', 'other')).toBe(false)
  expect(read()).toBe('mine')
  expect(await createFile(root, 'a/b/New.md', 'text')).toBe(true)
  expect(readFileSync(join(root, 'a/b/New.md'), 'utf8')).toBe('text')
  expect(readdirSync(root, { recursive: true }).map(String).toSorted()).toEqual(
    ['Note.md', 'a', 'a/b', 'a/b/New.md'].toSorted(),
  )
})

test('a file that an editor writes into meanwhile is not replaced', async () => {
  const { root, path, read } = withFile('mine')
  const isReplaced = await replaceFile(root, 'Note.md', () => {
    appendFileSync(path, ' and more')
    return 'other'
  })
  expect(isReplaced).toBeUndefined()
  expect(read()).toBe('mine and more')
  expect(readdirSync(root)).toEqual(['Note.md'])
})

test('a file that an editor replaces meanwhile is not replaced', async () => {
  const { root, path, read } = withFile('mine')
  const isReplaced = await replaceFile(root, 'Note.md', () => {
    writeFileSync(join(root, 'new'), 'mine')
    renameSync(join(root, 'new'), path)
    return 'other'
  })
  expect(isReplaced).toBeUndefined()
  expect(read()).toBe('mine')
})

test('a file that is deleted meanwhile is not created again', async () => {
  const { root, path } = withFile('mine')
  const isReplaced = await replaceFile(root, 'Note.md', () => {
    rmSync(path)
    return 'other'
  })
  expect(isReplaced).toBeUndefined()
  expect(readdirSync(root)).toEqual([])
})

test('a link is not followed', async () => {
  const { root, path, read } = withFile('mine')
  symlinkSync(path, join(root, 'link.md'))
  const replaced = replaceFile(root, 'link.md', () => 'other')
  expect(await replaced.catch((error: unknown) => error)).toBeInstanceOf(BlockedPath)
  expect(read()).toBe('mine')
})

test('a file is deleted only with the expected text, and with the folders that are empty then', async () => {
  const root = newFolder()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  writeFileSync(join(root, 'a/b/Note.md'), 'mine')
  writeFileSync(join(root, 'a/Other.md'), 'other')
  expect(await removeFile(root, 'a/b/Note.md', () => false)).toBe(false)
  expect(existsSync(join(root, 'a/b/Note.md'))).toBe(true)
  expect(await removeFile(root, 'a/b/Note.md', (bytes) => bytes.toString() === 'mine')).toBe(true)
  expect(existsSync(join(root, 'a/b'))).toBe(false)
  expect(existsSync(join(root, 'a/Other.md'))).toBe(true)
})
