import { expect, test } from 'bun:test'
import { useSharedServer } from '../harness/server.ts'
import { machineWithKey } from './svc.ts'

const server = useSharedServer()

/** A machine whose user has two notes of a shop and one of a blog. */
const withNotes = async () => {
  const { machine } = await machineWithKey(server.current)
  for (const [text, project] of [
    ['Releases are cut on Fridays.', 'acme/shop'],
    ['The shop runs on Hetzner.', 'acme/shop'],
    ['The blog is released daily.', 'ada/blog'],
  ] as const)
    await machine.svc(['remember', text, '--project', project])
  return machine
}

test('svc projects lists them, with their number of memories', async () => {
  const machine = await withNotes()
  const { stdout } = await machine.svc(['projects'])
  expect(stdout.split('\n').map((line) => line.split(/\s{2,}|\t/).slice(1, 3))).toEqual([
    ['PROJECT', 'MEMORIES'],
    ['ada/blog', '1'],
    ['acme/shop', '2'],
    [],
  ])
  const { stdout: json } = await machine.svc(['project', 'list', '--json', 'project'])
  expect(JSON.parse(json)).toEqual([{ project: 'ada/blog' }, { project: 'acme/shop' }])
})

test('--project selects memories to list, recall, edit and delete', async () => {
  const machine = await withNotes()
  const listed = await machine.svc([
    'list',
    '--project',
    'ada/blog',
    '--jq',
    '.memories[].content_text',
  ])
  expect(listed.stdout).toBe('The blog is released daily.\n')
  const found = await machine.svc(['recall', 'release', '--project', 'acme/shop'])
  expect(found.stdout).toMatch(/^Releases are cut on Fridays\.\n.* · project acme\/shop · /)
  const { stdout: id } = await machine.svc([
    'list',
    '--search',
    'Hetzner',
    '--jq',
    '.memories[0].memory_id',
  ])
  await machine.svc(['edit', id.trim(), '--project', 'acme/infra'])
  expect((await machine.svc(['show', id.trim()])).stdout).toMatch(/^project +acme\/infra$/m)
  await machine.svc(['delete', '--project', 'acme/infra', '--yes'])
  expect((await machine.svc(['projects'])).stdout).not.toContain('infra')
})

test('a project is merged, deleted and restored', async () => {
  const machine = await withNotes()
  const merged = await machine.svc(['project', 'merge', 'acme/shop', 'acme/store', '--yes'])
  expect(merged).toMatchObject({ code: 0, stderr: 'Moved 2 memories to acme/store.\n' })
  const deleted = await machine.svc(['projects', 'delete', 'acme/shop', '--yes'])
  expect(deleted.stderr).toBe(
    'Deleted 2 memories. To restore them within 30 days, run: svc projects restore acme/store\n',
  )
  const restored = await machine.svc(['projects', 'restore', 'acme/store', '--json'])
  expect(JSON.parse(restored.stdout)).toEqual({ project: 'acme/store', restored: 2 })
})

test('an unknown project, the same one, and no terminal are refused', async () => {
  const machine = await withNotes()
  for (const [words, code, message] of [
    [['merge', 'acme/none', 'acme/shop', '--yes'], 1, 'Run: svc projects list'],
    [['merge', 'acme/shop', 'acme/shop', '--yes'], 1, 'A project cannot be merged into itself'],
    [['delete', 'acme/shop'], 2, 'svc projects delete acme/shop --yes'],
  ] as const) {
    const refused = await machine.svc(['projects', ...words])
    expect(refused.code).toBe(code)
    expect(refused.stderr).toContain(message)
  }
})
