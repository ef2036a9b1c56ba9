import { expect, onTestFinished, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectName } from '../../cli/assistants/project.ts'

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
