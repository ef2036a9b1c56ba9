import { expect, test } from 'bun:test'
import { useServer } from '../harness/server.ts'
import { type Machine, machineWithKey, signedInMachine } from './svc.ts'

const server = useServer()

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

test('an unknown field is an error that lists the fields, after the whole value', async () => {
  const { machine } = await signedInMachine(server.current)
  const created = await machine.svc(['keys', 'create', 'build', '--json', 'key,nme'])
  expect(JSON.parse(created.stdout).key).toStartWith('svc_')
  expect(created.code).toBe(2)
  expect(created.stderr).toMatch(
    /^error: --json: there is no field nme\.\nUse some of: id, name, .*key.*\n$/,
  )
  const listed = await machine.svc(['keys', 'list', '--json', 'nme'])
  expect([listed.code, listed.stderr]).toEqual([2, expect.stringContaining('id, name, key_prefix')])
})
