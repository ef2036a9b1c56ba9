import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createOrg } from '../../shared/contract/index.ts'
import { useSharedServer } from '../harness/server.ts'
import { everyText, NOTHING, newSynced, store, textsOf } from './sync-support.ts'

const server = useSharedServer()

const many = async (count: number) => {
  const folder = await newSynced(server.current)
  for (let i = 0; i < count; i++) folder.write(`Note ${i}.md`, `The number is ${i}.\n`)
  await folder.synced()
  return folder
}

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
  await folder.synced('--yes')
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

test('a folder that cannot be written to is an error that names it', async () => {
  const folder = await newSynced(server.current)
  writeFileSync(join(folder.root, '.svc'), 'a file')
  const refused = await folder.sync()
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`Cannot write to ${join(folder.root, '.svc')}: EEXIST.`)
})
