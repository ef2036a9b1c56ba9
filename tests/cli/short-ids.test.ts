import { expect, test } from 'bun:test'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, type Machine, machineWithKey, signedInMachine } from './svc.ts'

const server = useSharedServer()

/** The first cells of the rows of a table on a terminal. */
const shownIds = async (machine: Machine, args: string[], cols = 100): Promise<string[]> => {
  const { child, seen } = inTerminal(machine, [...args, '--no-pager'], { NO_COLOR: '1' }, cols)
  expect(await child.exited).toBe(0)
  const [table = ''] = seen().trimEnd().split('\r\nFor more,')
  const rows = table.split('\r\n')
  expect(rows[0]).toMatch(/^ID /)
  for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(cols)
  return rows.slice(1).map((row) => row.split(' ')[0] ?? '')
}

const remember = async (machine: Machine, ...args: string[]) =>
  (await machine.svc(['remember', ...args])).stdout.trim()

/** Memories of one moment have ids with a long common prefix. */
const importMany = (machine: Machine, count: number) => {
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ content: `Memory ${i}.`, tags: i % 2 ? ['odd'] : [] }),
  )
  return machine.svc(['import', '-'], { stdin: lines.join('\n') })
}

const showsEach = async (machine: Machine, ids: string[]) => {
  for (const id of ids) {
    const shown = await machine.svc(['memories', 'show', id, '--json'])
    expect(shown).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(shown.stdout).memory_id).toStartWith(id)
  }
}

test('a terminal shows ids that are unique, short and accepted; a pipe shows complete ones', async () => {
  const { machine } = await machineWithKey(server.current)
  const id = await remember(machine, 'The shed is green.')
  expect(await shownIds(machine, ['memories', 'list'])).toEqual([id.slice(0, 8)])
  expect((await machine.svc(['memories', 'list'])).stdout).toContain(id)
  await importMany(machine, 9)
  const ids = await shownIds(machine, ['memories', 'list', '--limit', '5'], 40)
  expect(ids).toHaveLength(5)
  await showsEach(machine, ids)
})

test('the ids of a filtered list are accepted too, although other memories are hidden', async () => {
  const { machine } = await machineWithKey(server.current)
  await importMany(machine, 230)
  for (const args of [
    ['--tag', 'odd'],
    ['--search', 'Memory 7'],
    ['--limit', '200'],
  ])
    await showsEach(
      machine,
      (await shownIds(machine, ['memories', 'list', ...args], 60)).filter((_, i) => i % 50 === 0),
    )
})

test('every command accepts a prefix, with or without hyphens, in upper case too', async () => {
  const { machine } = await machineWithKey(server.current)
  const id = await remember(machine, 'The shed is green.')
  const prefix = id.slice(0, 10)
  const steps: [args: string[], output: string][] = [
    [['memories', 'show', prefix.toUpperCase()], 'The shed is green.'],
    [['memories', 'show', prefix.replace('-', '')], 'The shed is green.'],
    [['memories', 'edit', prefix, '--content', 'The shed is blue.'], id],
    [['memories', 'history', prefix], 'The shed is green.'],
    [['memories', 'delete', prefix], `svc memories restore ${id}`],
    [['memories', 'history', prefix], 'deleted'],
    [['memories', 'restore', prefix], id],
    [['memories', 'delete', prefix, '--permanent', '--yes'], id],
  ]
  for (const [args, output] of steps) {
    const { code, stdout, stderr } = await machine.svc(args)
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(output)])
  }
})

test('an ambiguous prefix lists the candidates, an unknown one says so', async () => {
  const { machine } = await machineWithKey(server.current)
  await importMany(machine, 12)
  const { stdout } = await machine.svc(['memories', 'list', '--jq', '.memories[0].memory_id'])
  const ambiguous = await machine.svc(['memories', 'show', stdout.slice(0, 6)])
  expect(ambiguous).toMatchObject({ code: 2, stdout: '' })
  expect(ambiguous.stderr).toMatch(/^error: \w{6} is ambiguous\.[\s\S]*\n {2}\S+ {2}Memory 11\.\n/)
  expect(ambiguous.stderr).toContain('… and 2 more')
  const [, candidate = ''] = /^ {2}(\S+) {2}Memory 11\.$/m.exec(ambiguous.stderr) ?? []
  await showsEach(machine, [candidate])

  const unknown = await machine.svc(['memories', 'show', 'ffff0000'])
  expect(unknown).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: No memory has an ID that starts with ffff0000.\nRun: svc memories list\n',
  })
  for (const typed of ['abc', 'nonsense', `${stdout.trim()}0`]) {
    const wrong = await machine.svc(['memories', 'show', typed])
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toStartWith(`error: ${typed} is not an ID.\n`)
  }
})

test('sessions have short ids, also beside an archived one', async () => {
  const { machine } = await signedInMachine(server.current)
  const create = async (title: string) => {
    const created = await machine.svc(['api', '/api/sessions', '-f', `title=${title}`])
    return JSON.parse(created.stdout).id as string
  }
  const [first, archived] = [await create('One'), await create('Two')]
  await machine.svc(['api', 'PUT', `/api/sessions/${archived}/archive`])
  const [shown = '', ...others] = await shownIds(machine, ['sessions', 'list'], 40)
  expect(others).toEqual([])
  expect(first).toStartWith(shown)
  for (const id of [shown, archived.slice(0, 20)])
    expect(await machine.svc(['sessions', 'show', id])).toMatchObject({ code: 0 })
  const missing = await machine.svc(['sessions', 'show', 'ffff0000'])
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('svc sessions list') })
  const unknown = crypto.randomUUID()
  expect((await machine.svc(['sessions', 'show', unknown])).stderr).toBe(
    `error: Session ${unknown} does not exist.\nRun: svc sessions list\n`,
  )
})

test('keys have short ids', async () => {
  const { machine } = await signedInMachine(server.current)
  await machine.svc(['keys', 'create', 'build server'])
  const ids = await shownIds(machine, ['keys', 'list'], 40)
  expect(new Set(ids).size).toBe(ids.length)
  const listed = await machine.svc(['keys', 'list', '--jq', '.[].id'])
  for (const [i, id] of listed.stdout.trimEnd().split('\n').entries())
    expect(id).toStartWith(ids[i] ?? '-')
  const revoked = await machine.svc(['keys', 'revoke', ids[0] ?? '', '--yes'])
  expect(revoked).toMatchObject({ code: 0, stdout: '' })
  expect(revoked.stderr).toContain('Revoked the key build server')
})
