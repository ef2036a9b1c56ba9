import { describe, expect, onTestFinished, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../harness/eventually.ts'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal } from './svc.ts'
import { NOTHING, newSynced, type Synced, store, textsOf } from './sync-support.ts'

const server = useSharedServer()

/** Folders that may not be of notes. */
const OTHERS: [string, (folder: Synced) => void, RegExp][] = [
  [
    '501 files',
    (folder) => {
      for (let i = 0; i < 501; i++) folder.write(`${i % 7}/Note ${i}.md`, `Number ${i}.`)
    },
    /The folder has 501 Markdown files, which become memories\./,
  ],
  ...[
    ...['.git/HEAD', '.git', '.hg/store', 'package.json', 'Cargo.toml', 'go.mod', 'pyproject.toml'],
    ...['pom.xml', 'Makefile', 'App.sln', 'composer.json'],
  ].map((path): [string, (folder: Synced) => void, RegExp] => [
    path,
    (folder) => folder.write(path, '{}'),
    /The folder looks like code: it has \S+, and 1 Markdown file\./,
  ]),
]

describe.each(OTHERS)('the first run in a folder with %s', (_, prepare, problem) => {
  test('needs --yes in a pipe, and writes nothing without it', async () => {
    const folder = await newSynced(server.current)
    prepare(folder)
    if (readdirSync(folder.root).length < 7) folder.write('Mine.md', 'Number x.')
    const before = readdirSync(folder.root)
    for (const options of [[], ['--watch'], ['--undo']]) {
      const refused = await folder.sync(...options)
      expect(refused.code).toBe(2)
      expect(refused.stderr).toMatch(problem)
      expect(refused.stderr).toContain(`svc sync ${folder.root}`)
      expect(refused.stderr).toContain('--yes')
    }
    expect(readdirSync(folder.root)).toEqual(before)
    expect(await textsOf(folder)).toEqual([])
    // It shows what would be done, and stores nothing.
    expect((await folder.sync('--dry-run')).code).toBe(0)
    await folder.synced('--yes')
    const { length } = await textsOf(folder)
    expect(length).toBeGreaterThan(0)
    // It is asked once.
    folder.write('Later.md', 'Later.')
    expect(await folder.synced()).toMatchObject({ ...NOTHING, remembered: 1 })
  }, 30_000)
})

test('at a terminal, the first run in a folder of code asks', async () => {
  const folder = await newSynced(server.current)
  folder.write('package.json', '{}')
  folder.write('Mine.md', 'Number 1.')
  for (const [answer, texts] of [
    ['n', []],
    ['y', ['Number 1.']],
  ] as const) {
    const terminal = inTerminal(folder.machine, ['sync', folder.root])
    await terminal.sees(/it has package\.json, and 1 Markdown file\. Sync it\? \[y\/N\] /)
    terminal.type(`${answer}\r`)
    expect(await terminal.child.exited).toBe(answer === 'y' ? 0 : 1)
    expect(await textsOf(folder)).toEqual([...texts])
  }
})

test('500 files, and a folder of memories below a repository, are synced without a question', async () => {
  const folder = await newSynced(server.current)
  for (let i = 0; i < 500; i++) folder.write(`Note ${i}.md`, `Number ${i}.`)
  for (let i = 0; i < 50; i++) folder.write(`node_modules/a/${i}.md`, `Not ${i}.`)
  expect(await folder.synced()).toMatchObject({ remembered: 500 })
})

/** Files by path, the rules, and those that are synced. */
const RULES: [string, Record<string, string>, string[]][] = [
  ['a name', { '.gitignore': 'Secret.md\n' }, ['Mine.md', 'docs/Mine.md']],
  ['a folder', { '.gitignore': 'docs/\n' }, ['Mine.md', 'Secret.md']],
  ['all but one', { '.gitignore': '*.md\n!Mine.md\n' }, ['Mine.md', 'docs/Mine.md']],
  [
    'a path from the root',
    { '.gitignore': '/Mine.md\n' },
    ['Secret.md', 'docs/Mine.md', 'docs/Secret.md'],
  ],
  ['nested rules', { 'docs/.gitignore': 'Secret.md\n' }, ['Mine.md', 'Secret.md', 'docs/Mine.md']],
  [
    'a nested negation',
    { '.gitignore': 'Secret.md\n', 'docs/.gitignore': '!Secret.md\n' },
    ['Mine.md', 'docs/Mine.md', 'docs/Secret.md'],
  ],
  [
    'a negation in an ignored folder, which git does not see',
    { '.gitignore': 'docs/\n', 'docs/.gitignore': '!*\n' },
    ['Mine.md', 'Secret.md'],
  ],
  ['two stars', { '.gitignore': '**/Secret.md\n' }, ['Mine.md', 'docs/Mine.md']],
  [
    'a comment and blank lines',
    { '.gitignore': '# Mine.md\n\n  \nSecret.md\r\n' },
    ['Mine.md', 'docs/Mine.md'],
  ],
  [
    'the exclude file of the repository',
    { '.git/info/exclude': 'Secret.md\n' },
    ['Mine.md', 'docs/Mine.md'],
  ],
  ['a byte order mark', { '.gitignore': '\ufeffSecret.md\n' }, ['Mine.md', 'docs/Mine.md']],
  [
    'a rule that is not valid',
    { '.gitignore': '[z-a].md\n\\\nSecret.md\n' },
    ['Mine.md', 'docs/Mine.md'],
  ],
  ['dependencies', {}, ['Mine.md', 'Secret.md', 'docs/Mine.md', 'docs/Secret.md']],
]

const writeAll = (folder: Synced, prefix: string, rules: Record<string, string>) => {
  for (const path of ['Mine.md', 'Secret.md', 'docs/Mine.md', 'docs/Secret.md'])
    folder.write(`${prefix}${path}`, `Text of ${path}`)
  folder.write(`${prefix}node_modules/a/README.md`, 'A package.')
  folder.write(`${prefix}docs/node_modules/README.md`, 'A package.')
  folder.write(`${prefix}.git/README.md`, 'Of git.')
  for (const [path, text] of Object.entries(rules)) folder.write(`${prefix}${path}`, text)
}

test.each(RULES)('files that git ignores stay out: %s', async (_, rules, expected) => {
  const folder = await newSynced(server.current)
  writeAll(folder, '', rules)
  await folder.synced('--yes')
  expect(await textsOf(folder)).toEqual(expected.map((path) => `Text of ${path}`).toSorted())
  expect(await folder.synced()).toMatchObject(NOTHING)
  // Dependencies stay out in any case.
  expect(await folder.synced('--no-ignore')).toMatchObject({ remembered: 4 - expected.length })
  // As in git, what is synced stays so.
  expect(await folder.synced()).toMatchObject(NOTHING)
  folder.edit('Secret.md', (text) => text.replace('Text', 'New text'))
  expect(await folder.synced()).toMatchObject({ ...NOTHING, superseded: 1 })
})

test.each([
  ['the rules of the repository hold in a folder of it', 'docs/private/\nSecret.md\n', ['Mine.md']],
  ['a path from the root of the repository', '/docs/Secret.md\n', ['Mine.md', 'private/Mine.md']],
  [
    'a folder that git ignores whole was chosen',
    'docs\n',
    ['Mine.md', 'Secret.md', 'private/Mine.md'],
  ],
])('%s', async (_, rules, expected) => {
  const folder = await newSynced(server.current)
  mkdirSync(join(folder.root, '.git'))
  folder.write('.gitignore', rules)
  for (const path of ['Mine.md', 'Secret.md', 'private/Mine.md'])
    folder.write(`docs/${path}`, `Text of ${path}`)
  const docs = join(folder.root, 'docs')
  const refused = await folder.machine.svc(['sync', docs])
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('The folder is in a git repository')
  expect((await folder.machine.svc(['sync', docs, '--yes'])).code).toBe(0)
  expect(await textsOf(folder)).toEqual(expected.map((path) => `Text of ${path}`).toSorted())
})

test('a synced file stays synced where a rule comes later, also after a rename', async () => {
  const folder = await newSynced(server.current)
  const id = await store(folder, 'Tea', { thread: 'Work' })
  folder.write('Mine.md', 'The heron is grey.')
  await folder.synced()
  folder.write('.gitignore', '*\n')
  expect(await folder.synced()).toMatchObject(NOTHING)
  renameSync(join(folder.root, 'Work/Tea.md'), join(folder.root, 'Tea.md'))
  expect(await folder.synced()).toMatchObject(NOTHING)
  await store(folder, 'Coffee', { supersedes: id })
  expect(await folder.synced()).toMatchObject({ ...NOTHING, written: 1 })
  // A memory of the account gets its file.
  await store(folder, 'Water')
  expect(await folder.synced()).toMatchObject({ ...NOTHING, created: 1 })
  folder.write('New.md', 'A new file.')
  expect(await folder.synced()).toMatchObject(NOTHING)
  expect(existsSync(join(folder.root, 'Tea.md'))).toBe(true)
})

test.each([
  [[], ['Small.md'], ['Large.md is larger than 128 KiB, see --max-size']],
  [
    ['--max-size', '1'],
    [],
    [
      'Large.md is larger than 1 KiB, see --max-size',
      'Small.md is larger than 1 KiB, see --max-size',
    ],
  ],
  [['--max-size', '300'], ['Large.md', 'Small.md'], []],
])('files over a size stay out, with %j', async (options, expected, skipped) => {
  const folder = await newSynced(server.current)
  folder.write('Small.md', `---\nx: "${'x'.repeat(2_000)}"\n---\nText of Small.md`)
  folder.write('Large.md', `---\nx: "${'x'.repeat(200_000)}"\n---\nText of Large.md`)
  const result = await folder.synced(...options)
  expect(result.skipped.map(({ path, problem }) => `${path} ${problem}`)).toEqual(skipped)
  expect(await textsOf(folder)).toEqual(expected.map((path) => `Text of ${path}`))
})

test('--watch looks at the same files', async () => {
  const folder = await newSynced(server.current)
  folder.write('.gitignore', 'Secret.md\n')
  folder.write('Secret.md', 'Secret 1.')
  folder.write('package.json', '{}')
  const child = Bun.spawn(folder.machine.command('sync', '--watch', '--yes', folder.root), {
    env: folder.machine.env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  onTestFinished(() => child.kill('SIGKILL'))
  folder.write('Mine.md', 'Mine.')
  await eventually(async () => (await textsOf(folder)).includes('Mine.'))
  folder.write('node_modules/README.md', 'A package.')
  folder.write('docs/Secret.md', 'Secret 2.')
  folder.write('Last.md', 'Last.')
  await eventually(async () => (await textsOf(folder)).includes('Last.'))
  child.kill('SIGINT')
  await child.exited
  expect(await textsOf(folder)).toEqual(['Last.', 'Mine.'])
})
