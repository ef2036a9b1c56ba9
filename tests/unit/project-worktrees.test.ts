import { beforeEach, expect, onTestFinished, test } from 'bun:test'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { memoryMode, projectName } from '../../cli/assistants/project.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-worktrees-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
})

const at = (path: string) => join(root, path)

const git = (folder: string, ...args: string[]): void => {
  const settings = ['user.name=Ada', 'user.email=ada@example.org', 'protocol.file.allow=always']
  const { exitCode, stderr } = Bun.spawnSync(
    ['git', ...settings.flatMap((each) => ['-c', each]), ...args],
    { cwd: at(folder), env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' } },
  )
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

/** A repository with a commit. */
const repository = (folder: string, ...options: string[]): void => {
  mkdirSync(at(folder), { recursive: true })
  git(folder, 'init', '-q', ...options)
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first')
}

/** A repository with a worktree. */
const withWorktree = (folder: string, worktree: string): void => {
  repository(folder)
  mkdirSync(dirname(at(worktree)), { recursive: true })
  git(folder, 'worktree', 'add', '-q', '--detach', at(worktree))
}

const bareClone = (folder: string): void => {
  repository('seed')
  mkdirSync(dirname(at(folder)), { recursive: true })
  git('.', 'clone', '-q', '--bare', at('seed'), at(folder))
  git(folder, 'remote', 'remove', 'origin')
}

const LAYOUTS: [layout: string, folder: string, name: string, build: () => void][] = [
  ['a repository', 'shop', 'shop', () => repository('shop')],
  [
    'a subfolder',
    'shop/src/deep',
    'shop',
    () => {
      repository('shop')
      mkdirSync(at('shop/src/deep'), { recursive: true })
    },
  ],
  [
    'a worktree beside its repository',
    'fix-login',
    'shop',
    () => withWorktree('shop', 'fix-login'),
  ],
  [
    'a worktree within its repository',
    'shop/.worktrees/fix',
    'shop',
    () => withWorktree('shop', 'shop/.worktrees/fix'),
  ],
  [
    'a subfolder of a worktree',
    'trees/fix/src',
    'shop',
    () => {
      withWorktree('shop', 'trees/fix')
      mkdirSync(at('trees/fix/src'))
    },
  ],
  [
    'a worktree that git moved',
    'elsewhere/fix',
    'shop',
    () => {
      withWorktree('shop', 'fix')
      mkdirSync(at('elsewhere'))
      git('shop', 'worktree', 'move', at('fix'), at('elsewhere/fix'))
    },
  ],
  [
    'a worktree whose folder was moved',
    'moved',
    'shop',
    () => {
      withWorktree('shop', 'fix')
      renameSync(at('fix'), at('moved'))
    },
  ],
  [
    'a worktree whose repository was moved',
    'fix',
    'shop',
    () => {
      withWorktree('shop', 'fix')
      mkdirSync(at('archive'))
      renameSync(at('shop'), at('archive/shop'))
    },
  ],
  [
    'a worktree of a bare repository',
    'trees/main',
    'shop',
    () => {
      bareClone('shop.git')
      mkdirSync(at('trees'))
      git('shop.git', 'worktree', 'add', '-q', '-b', 'main2', at('trees/main'))
    },
  ],
  ['a bare repository', 'shop.git', 'shop', () => bareClone('shop.git')],
  [
    'a worktree beside a hidden bare repository',
    'shop/feature',
    'shop',
    () => {
      bareClone('shop/.bare')
      writeFileSync(at('shop/.git'), 'gitdir: ./.bare\n')
      git('shop', 'worktree', 'add', '-q', '-b', 'feature', at('shop/feature'))
    },
  ],
  [
    'the folder of a hidden bare repository',
    'shop',
    'shop',
    () => {
      bareClone('shop/.bare')
      writeFileSync(at('shop/.git'), 'gitdir: ./.bare\n')
    },
  ],
  [
    'a folder within .git',
    'shop/.git/hooks',
    'shop',
    () => {
      repository('shop')
      mkdirSync(at('shop/.git/hooks'), { recursive: true })
    },
  ],
  [
    'a repository with its directory elsewhere',
    'work',
    'store',
    () => repository('work', '--separate-git-dir', at('store.git')),
  ],
  [
    'a worktree of one with its directory elsewhere',
    'fix',
    'store',
    () => {
      repository('work', '--separate-git-dir', at('store.git'))
      git('work', 'worktree', 'add', '-q', at('fix'))
    },
  ],
  [
    'a submodule',
    'shop/libs/core',
    'core',
    () => {
      repository('parts')
      repository('shop')
      git('shop', 'submodule', 'add', '-q', at('parts'), 'libs/core')
    },
  ],
  [
    'a worktree of a submodule',
    'core-fix',
    'core',
    () => {
      repository('parts')
      repository('shop')
      git('shop', 'submodule', 'add', '-q', at('parts'), 'libs/core')
      git('shop/libs/core', 'worktree', 'add', '-q', at('core-fix'))
    },
  ],
  [
    'a symbolic link to a repository',
    'link',
    'shop',
    () => {
      repository('shop')
      symlinkSync(at('shop'), at('link'))
    },
  ],
  [
    'a symbolic link to a subfolder',
    'link',
    'shop',
    () => {
      repository('shop')
      mkdirSync(at('shop/src'))
      symlinkSync(at('shop/src'), at('link'))
    },
  ],
  [
    'a symbolic link to a worktree',
    'link',
    'shop',
    () => {
      withWorktree('shop', 'fix')
      symlinkSync(at('fix'), at('link'))
    },
  ],
  [
    'a worktree of a folder with blanks and accents',
    'Ein Baum/für später',
    'Der Käse Laden',
    () => withWorktree('Der Käse Laden', 'Ein Baum/für später'),
  ],
  [
    'a folder whose accents are characters of their own',
    'Ka\u0308se',
    'Käse',
    () => repository('Ka\u0308se'),
  ],
]

test.each(LAYOUTS)(
  '%s, %j, without a remote belongs to the project %j',
  (_, folder, name, build) => {
    build()
    expect(projectName(at(folder), root)).toBe(name)
  },
)

test('a worktree has the remote of its repository', () => {
  withWorktree('shop', 'fix')
  git('shop', 'remote', 'add', 'origin', 'git@example.org:acme/shop.git')
  expect(projectName(at('fix'))).toBe('acme/shop')
})

test.each([
  ['of the main worktree applies to the others', 'shop/.svc.json', 'fix'],
  ['of a folder applies behind a symbolic link', 'shop/.svc.json', 'link'],
  ['beside a symbolic link applies behind it', '.svc.json', 'link'],
])('the memory setting %s', (_, file, folder) => {
  withWorktree('shop', 'fix')
  mkdirSync(at('shop/src'))
  symlinkSync(at('shop/src'), at('link'))
  expect(memoryMode(at(folder))).toBe('on')
  writeFileSync(at(file), '{"memory": "read"}')
  expect(memoryMode(at(folder))).toBe('read')
  writeFileSync(at(file), '{"memory": "off"}')
  expect(memoryMode(at(folder))).toBe('off')
})

test('the memory setting of the main worktree applies before one around another worktree', () => {
  withWorktree('shop', 'trees/fix')
  writeFileSync(at('trees/.svc.json'), '{"memory": "on"}')
  writeFileSync(at('shop/.svc.json'), '{"memory": "off"}')
  expect(memoryMode(at('trees/fix'))).toBe('off')
})

test('the memory setting of a worktree applies before that of the main one', () => {
  withWorktree('shop', 'fix')
  writeFileSync(at('shop/.svc.json'), '{"memory": "off"}')
  writeFileSync(at('fix/.svc.json'), '{"memory": "on"}')
  expect(memoryMode(at('fix'))).toBe('on')
})
