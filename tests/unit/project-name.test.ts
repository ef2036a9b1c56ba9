import { expect, onTestFinished, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNever, memoryMode, projectName } from '../../cli/assistants/project.ts'

const newFolder = (): string => {
  const parent = mkdtempSync(join(tmpdir(), 'svc-project-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'shop')
  mkdirSync(join(folder, 'src'), { recursive: true })
  return folder
}

test.each([
  ['git@github.com:acme/shop.git', 'acme/shop'],
  ['https://user:secret@gitlab.example.org/group/sub/shop.git/', 'group/sub/shop'],
  ['ssh://git@example.org:2222/acme/shop', 'acme/shop'],
  ['/srv/git/shop.git', 'shop'],
  ['C:\\\\git\\\\shop', 'shop'],
  ['file:///srv/git/shop.git', 'shop'],
])('the project of the remote %s is %s', (url, name) => {
  const folder = newFolder()
  mkdirSync(join(folder, '.git'))
  const config = `[core]\n[remote "fork"]\n\turl = x:a/b\n[remote "origin"]\n\turl = ${url}\n`
  writeFileSync(join(folder, '.git/config'), config)
  expect(projectName(join(folder, 'src'))).toBe(name)
})

test('a worktree has the project of its repository', () => {
  const folder = newFolder()
  const git = join(folder, '.git/worktrees/fix')
  mkdirSync(git, { recursive: true })
  writeFileSync(join(folder, '.git/config'), '[remote "origin"]\nurl = git@x.org:acme/shop.git')
  writeFileSync(join(git, 'commondir'), '../..\n')
  writeFileSync(join(folder, 'src/.git'), `gitdir: ${git}\n`)
  expect(projectName(join(folder, 'src'))).toBe('acme/shop')
})

test('without a repository the folder names the project; the home folder is none', () => {
  const folder = newFolder()
  expect(projectName(folder)).toBe('shop')
  expect(projectName(folder, folder)).toBeUndefined()
  expect(projectName('/')).toBeUndefined()
})

test.each<[name: string, remote: string | undefined, expected: string]>([
  ['acme/store', 'acme/shop', 'acme/store'],
  ['acme/shop/web', 'acme/shop', 'acme/shop/web'],
  // A repository that names itself after a project of someone else would be given its memories.
  ['bank/ledger', 'acme/shop', 'acme/shop'],
  ['store', 'acme/shop', 'acme/shop'],
  ['store', undefined, 'store'],
  ['bank/ledger', undefined, 'shop'],
  [' ', undefined, 'shop'],
])('.svc.toml names the project %s where the remote is %s: %s', (name, remote, expected) => {
  const folder = newFolder()
  mkdirSync(join(folder, '.git'))
  const url = remote && `[remote "origin"]\nurl = git@x.org:${remote}.git\n`
  writeFileSync(join(folder, '.git/config'), url ?? '[core]\n')
  writeFileSync(join(folder, '.svc.toml'), `project = "${name}"\n`)
  expect(projectName(join(folder, 'src'))).toBe(expected)
})

test('folders of files of anything are no project', () => {
  const home = newFolder()
  for (const name of ['Downloads', 'Desktop', 'Documents']) {
    mkdirSync(join(home, name, 'shop'), { recursive: true })
    expect(projectName(join(home, name), home)).toBeUndefined()
    expect(projectName(join(home, name, 'shop'), home)).toBe('shop')
  }
  expect(projectName(tmpdir(), home)).toBeUndefined()
})

test('words that a project never stores count in any case, also those of folders above', () => {
  const folder = newFolder()
  writeFileSync(join(folder, '.svc.toml'), 'never = ["Project Falcon"]')
  writeFileSync(join(folder, 'src/.svc.toml'), 'memory = "on"\nnever = ["salary"]')
  const isNever = createNever(join(folder, 'src'))
  expect(isNever('the budget of project falcon')).toBeTrue()
  expect(isNever('Salaries, or a salary')).toBeTrue()
  expect(isNever('We deploy on Fridays.')).toBeFalse()
  expect(createNever(folder)('a salary')).toBeFalse()
})

test.each(['memory = "of"', 'never = "salary"', 'never = [""]', 'project = 5', 'never = ['])(
  'a .svc.toml with %s closes the project',
  (content) => {
    const folder = newFolder()
    writeFileSync(join(folder, '.svc.toml'), content)
    expect(memoryMode(folder)).toBe('off')
  },
)
