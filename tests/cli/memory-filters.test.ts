import { expect, test } from 'bun:test'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, type Machine, machineWithKey } from './svc.ts'

const server = useSharedServer()

const remembering = async () => {
  const { machine } = await machineWithKey(server.current)
  const memories = [
    ['--tag', 'house', '--author', 'Ada', '--occurred-at', '2025-01-31', 'The shed is green.'],
    ['--tag', 'house', '--author', 'Bob', '--occurred-at', '2026-01-31', 'The boiler is blue.'],
    ['--type', 'preference', '--thread', 'tea', 'Ada likes tea.'],
  ]
  for (const args of memories) await machine.svc(['remember', ...args])
  return machine
}

const texts = async (machine: Machine, ...args: string[]) => {
  const { stdout } = await machine.svc([
    'memories',
    'list',
    ...args,
    '--jq',
    '.memories[].content_text',
  ])
  return stdout.trimEnd().split('\n').filter(Boolean)
}

const ALL = ['Ada likes tea.', 'The boiler is blue.', 'The shed is green.']

test.each([
  [[], ALL],
  [
    ['--tag', 'house'],
    ['The boiler is blue.', 'The shed is green.'],
  ],
  [['--author', 'Ada'], ['The shed is green.']],
  [['--thread', 'tea'], ['Ada likes tea.']],
  [['--type', 'preference'], ['Ada likes tea.']],
  [['--since', '2026-01-01', '--until', '2026-06-01'], ['The boiler is blue.']],
  [['--tag', 'nothing'], []],
])('memories list %j selects', async (args, expected) => {
  expect(await texts(await remembering(), ...args)).toEqual(expected)
})

test('--search finds memories about words, best first, within a filter', async () => {
  const machine = await remembering()
  expect((await texts(machine, '--search', 'green shed'))[0]).toBe('The shed is green.')
  expect(await texts(machine, '--search', 'shed', '--author', 'Bob')).not.toContain(
    'The shed is green.',
  )
  const table = await machine.svc(['memories', 'list', '--search', 'boiler'])
  expect(table.stdout).toMatch(
    /^ID +DATE +TYPE +MEMORY\n\S+ +2026-01-31 +semantic +The boiler is blue\.\n/,
  )
  const nothing = await machine.svc(['memories', 'list', '--search', 'zeppelin'])
  expect(nothing).toEqual({ code: 0, stdout: '', stderr: 'No memories match.\n' })
  for (const args of [['--cursor', 'x'], ['--deleted'], ['--limit', '101']])
    expect(await machine.svc(['memories', 'list', '--search', 'tea', ...args])).toMatchObject({
      code: 2,
      stdout: '',
    })
})

test('a deletion by filter can be previewed, and is undone by restore', async () => {
  const machine = await remembering()
  const filter = ['--tag', 'house', '--before', '2026-01-01']
  const preview = await machine.svc(['memories', 'delete', ...filter, '--dry-run'])
  expect(preview).toMatchObject({ code: 0, stderr: 'Dry run: 1 memory would be deleted.\n' })
  expect(preview.stdout.trimEnd().split('\n')).toHaveLength(2)
  expect(preview.stdout).toContain('The shed is green.')
  const json = await machine.svc(['memories', 'delete', ...filter, '--dry-run', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    memories: [{ content_text: 'The shed is green.' }],
    dry_run: true,
  })
  expect(await texts(machine)).toEqual(ALL)

  const deleted = await machine.svc(['memories', 'delete', ...filter, '--yes', '--json'])
  expect(JSON.parse(deleted.stdout)).toEqual({ deleted: 1, permanent: false })
  expect(await texts(machine)).toEqual(ALL.slice(0, 2))
  expect(await texts(machine, '--deleted')).toEqual(['The shed is green.'])
  const { stdout: id } = await machine.svc([
    ...['memories', 'list', '--deleted', '--jq', '.memories[].memory_id[:12]'],
  ])
  expect(await machine.svc(['memories', 'restore', id.trim()])).toMatchObject({ code: 0 })
  expect(await texts(machine)).toEqual(ALL)
})

test('more memories than a page are deleted, permanently if that is requested', async () => {
  const { machine } = await machineWithKey(server.current)
  const lines = Array.from({ length: 130 }, (_, i) => `{"content":"Memory ${i}.","tags":["x"]}`)
  await machine.svc(['import', '-'], { stdin: lines.join('\n') })
  const result = await machine.svc(['memories', 'delete', '--tag', 'x', '--permanent', '--yes'])
  expect(result).toEqual({ code: 0, stdout: '', stderr: 'Deleted 130 memories permanently.\n' })
  expect(await texts(machine)).toEqual([])
  expect(await texts(machine, '--deleted')).toEqual([])
  const again = await machine.svc(['memories', 'delete', '--tag', 'x', '--yes', '--json'])
  expect(again).toMatchObject({ code: 0, stderr: 'No memories match.\n' })
  expect(JSON.parse(again.stdout)).toEqual({ deleted: 0, permanent: false })
})

test.each([
  ['y\r', 1],
  ['n\r', 3],
])(
  'at a terminal it shows the memories and asks with their number; %j decides',
  async (typed, left) => {
    const machine = await remembering()
    const { child, type, sees } = inTerminal(machine, ['memories', 'delete', '--tag', 'house'])
    await sees(/The boiler is blue\.[\s\S]*The shed is green\.[\s\S]*Delete 2 memories\? \[y\/N\] /)
    type(typed)
    await sees(left === 1 ? /Deleted 2 memories\./ : /Nothing was deleted\./)
    expect(await child.exited).toBe(0)
    expect(await texts(machine)).toHaveLength(left)
  },
)

test.each([
  [[], 'Name a memory or a filter.'],
  [['019a0000', '--tag', 'house'], 'An ID and a filter cannot be combined.'],
  [['--tag', 'house'], 'There is no terminal to confirm the deletion.'],
  [['--until', '2026-01-01', '--before', '2026-01-01'], "option '--until <time>' cannot be used"],
])('memories delete %j is refused without a deletion', async (args, message) => {
  const machine = await remembering()
  const result = await machine.svc(['memories', 'delete', ...args])
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain(message)
  expect(await texts(machine)).toEqual(ALL)
})
