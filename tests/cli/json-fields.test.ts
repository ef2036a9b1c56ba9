import { expect, onTestFinished, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request, useSharedServer } from '../harness/server.ts'
import { type Machine, machineWithKey, signedInMachine } from './svc.ts'

const server = useSharedServer()

const json = async (machine: Machine, ...args: string[]) => {
  const { code, stdout, stderr } = await machine.svc(args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

test('--json with names of fields prints these of the value, or of the entries of a list', async () => {
  const { machine, user } = await machineWithKey(server.current)
  const { email } = user
  await machine.svc(['remember', 'Ada prefers tea.', '--tag', 'drinks'])
  expect(await json(machine, 'whoami', '--json', 'email,tier')).toEqual({ email, tier: 'amnesiac' })
  expect(await json(machine, '--json=email', 'whoami')).toEqual({ email })
  expect(await json(machine, 'list', '--json', 'content_text')).toEqual([
    { content_text: 'Ada prefers tea.' },
  ])
  const fields = ['--json', 'tags,content_text']
  const found = [{ tags: ['drinks'], content_text: 'Ada prefers tea.' }]
  expect(await json(machine, 'recall', 'tea', ...fields)).toEqual(found)
  expect(await json(machine, 'recall', ...fields, 'tea')).toEqual(found)
  expect(await json(machine, 'recall', 'zeppelin', ...fields)).toEqual([])
  const tags = await machine.svc(['recall', 'tea', ...fields, '--jq', '.[].tags[0]'])
  expect(tags.stdout).toBe('drinks\n')
})

test('--json before a word of the command is without fields', async () => {
  const { machine, user } = await machineWithKey(server.current)
  await machine.svc(['remember', 'tags are useful'])
  expect((await json(machine, 'recall', '--json', 'tags')).count).toBe(1)
  expect((await json(machine, '--json', 'whoami')).email).toBe(user.email)
  expect((await json(machine, '--json', 'memories', 'list')).memories).toHaveLength(1)
})

test('an unknown field of a list is an error with the known ones', async () => {
  const { machine } = await signedInMachine(server.current)
  await machine.svc(['keys', 'create', 'build'])
  const listed = await machine.svc(['keys', 'list', '--json', 'nme'])
  expect([listed.code, listed.stderr]).toEqual([2, expect.stringContaining('id, name, key_prefix')])
})

/** Commands that change something, and a field of their output. */
const CHANGING: [field: string, ...args: string[]][] = [
  ['memory_id', 'remember', 'The kiln is hot.'],
  ['memory_id', 'memories', 'edit', 'ID', '--content', 'The heron is white.'],
  ['deleted', 'memories', 'delete', 'ID'],
  ['deleted', 'memories', 'delete', '--tag', 'bird', '--yes'],
  ['key', 'keys', 'create', 'build'],
  ['id', 'orgs', 'create', 'Herons'],
  ['org', 'orgs', 'switch', '--personal'],
  ['imported', 'import', 'FILE'],
  ['id', 'files', 'upload', 'FILE'],
  ['client', 'connect', 'cursor', '--yes'],
  ['client', 'mcp', 'install', '--client', 'cursor'],
  ['paused', 'pause'],
  ['value', 'config', 'set', 'depth', 'deep'],
  ['sent', 'spool', '--retry'],
  ['message', 'verify', '--resend'],
  ['secret', 'mfa', 'enable'],
  ['dry_run', 'sync', 'FOLDER', '--yes'],
  ['removed', 'logout'],
]

test('a command with an unknown field changes nothing', async () => {
  const { machine, user } = await signedInMachine(server.current)
  const stored = await json(machine, 'remember', 'The heron is grey.', '--tag', 'bird', '--json')
  const file = join(machine.configDir, '..', 'notes.txt')
  writeFileSync(file, 'The pond is deep.')
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'Pond.md'), 'The pond is deep.')
  const filesOf = () => readdirSync(machine.configDir).filter((name) => !name.endsWith('.lock'))
  const state = async () => ({
    files: [filesOf(), readdirSync(folder)],
    settings: await json(machine, 'config', 'list', '--json'),
    account: await Promise.all(
      ['/api/memories', '/api/auth/api-keys', '/api/orgs', '/api/files', '/api/auth/mfa'].map(
        async (path) =>
          (await request(server.current, 'GET', path, { token: user.accessToken })).body,
      ),
    ),
  })
  const places: Record<string, string> = { ID: stored.memory_id, FILE: file, FOLDER: folder }
  const before = await state()
  for (const [field, ...words] of CHANGING) {
    const args = words.map((word) => places[word] ?? word)
    const { code, stdout, stderr } = await machine.svc([...args, `--json=nothing,${field}`])
    const name = words.join(' ')
    expect([name, code, stdout]).toEqual([name, 2, ''])
    expect([name, stderr]).toEqual([name, expect.stringContaining('there is no field nothing')])
  }
  expect(await state()).toEqual(before)
})
