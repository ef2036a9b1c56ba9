import { expect, setDefaultTimeout, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, type Machine, machineWithKey } from './svc.ts'

const server = useSharedServer()
setDefaultTimeout(120_000)

const newOwner = async () => machineWithKey(server.current, await newVerifiedUser(server.current))

const json = async (machine: Machine, ...args: string[]) => {
  const { code, stdout, stderr } = await machine.svc([...args, '--json'])
  expect([args, code, stderr]).toEqual([args, 0, expect.any(String)])
  return JSON.parse(stdout)
}

const TOO_HOT = {
  name: 'Too hot',
  trigger: { type: 'signal' },
  conditions: [{ op: 'gt', path: 'value.temperature', value: 30 }],
  action: { type: 'notify', channel: 'inbox', text: 'It is {{value.temperature}} degrees.' },
}

test('a signal fires the reflex of a file, whose reminder is then done', async () => {
  const { machine } = await newOwner()
  await machine.svc(['devices', 'create', 'Greenhouse'])
  const created = await machine.svc(['reflexes', 'create', '-'], { stdin: JSON.stringify(TOO_HOT) })
  expect(created).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[0-9a-f-]{36}\n$/) })
  await machine.svc(['devices', 'signal', 'greenhouse', '{"temperature":31.5}'])
  const [reminder] = await eventually(async () => {
    const due = await json(machine, 'reminders', 'list')
    return due.length > 0 && due
  })
  expect(reminder).toMatchObject({ kind: 'reminder', title: 'Too hot' })
  expect(await json(machine, 'reflexes', 'firings', 'Too hot')).toMatchObject([{ state: 'done' }])
  const deleted = await machine.svc(['reminders', 'delete', 'Too hot', '--yes'])
  expect([deleted.code, deleted.stderr]).toEqual([
    1,
    expect.stringContaining(`Run: svc reminders done ${reminder.intent_id}`),
  ])
  await machine.svc(['reminders', 'done', 'Too hot'])
  expect(await json(machine, 'reminders', 'list')).toEqual([])
})

test('a disabled reflex does not fire, and reflexes delete asks at a terminal', async () => {
  const { machine } = await newOwner()
  await machine.svc(['reflexes', 'create', '-'], { stdin: JSON.stringify(TOO_HOT) })
  await machine.svc(['reflexes', 'disable', 'Too hot'])
  expect((await machine.svc(['reflexes', 'show', 'Too hot'])).stdout).toMatch(/^state +disabled$/m)
  await machine.svc(['reflexes', 'enable', 'Too hot'])
  expect(await json(machine, 'reflexes', 'show', 'Too hot')).toMatchObject({ enabled: true })
  for (const [typed, remaining] of [
    ['n', 1],
    ['y', 0],
  ] as const) {
    const terminal = inTerminal(machine, ['reflexes', 'delete', 'Too hot'])
    await terminal.sees(/Delete the reflex Too hot and its firings\? \[y\/N\] /)
    terminal.type(`${typed}\r`)
    expect(await terminal.child.exited).toBe(0)
    expect(await json(machine, 'reflexes', 'list')).toHaveLength(remaining)
  }
})

test.each([
  ['21.5', [], 'number', 21.5],
  ['true', [], 'boolean', true],
  ['{"temperature":21.5}', [], 'readings', { temperature: 21.5 }],
  ['The door is open.', [], 'text', 'The door is open.'],
  ['80', ['--type', 'battery'], 'battery', 80],
  ['21 degrees', ['--type', 'text'], 'text', '21 degrees'],
  ['present', ['--type', 'presence'], 'presence', 'present'],
])('devices signal %p %p sends a signal of type %s', async (typed, options, signal_type, value) => {
  const { machine } = await newOwner()
  await machine.svc(['devices', 'create', 'Greenhouse'])
  const signal = await json(machine, 'devices', 'signal', 'Greenhouse', typed, ...options)
  expect(signal).toMatchObject({ signal_type, value })
})

test('devices signal --occurred-at repeated is stored once', async () => {
  const { machine } = await newOwner()
  await machine.svc(['devices', 'create', 'Greenhouse'])
  const args = ['devices', 'signal', 'Greenhouse', '21', '--occurred-at', '2026-01-31T09:30Z']
  const [first, second] = [await machine.svc(args), await machine.svc(args)]
  expect(second.stdout).toBe(first.stdout)
  expect(second.stderr).toBe('This signal already exists.\n')
})

test.each([
  [['reflexes', 'show', 'Nothing'], 1, 'Reflex Nothing does not exist.\nRun: svc reflexes list'],
  [['reflexes', 'create', 'no-such.json'], 2, 'Cannot read no-such.json'],
  [['devices', 'delete', 'Cellar', '--yes'], 1, 'Device Cellar does not exist.'],
  [['devices', 'delete', 'Cellar'], 2, 'svc devices delete Cellar --yes'],
  [['devices', 'signal', 'Cellar', 'x', '--type', 'readings'], 2, 'must be JSON'],
  [['devices', 'signal', 'Cellar', 'x', '--type', 'reading'], 2, 'Did you mean readings?'],
  [['reminders', 'done', 'x'], 1, 'Reminder x does not exist.\nRun: svc reminders list'],
  [['conflicts', 'settle', 'home', 'x'], 1, 'Conflict home does not exist.'],
])('svc %p is refused with a hint', async (args, code, message) => {
  const { machine } = await newOwner()
  const result = await machine.svc(args)
  expect([result.code, result.stdout]).toEqual([code, ''])
  expect(result.stderr).toContain(message)
})

test('reflexes create names an invalid field, input that is no JSON, and a missing feature', async () => {
  const { machine } = await newOwner()
  const create = (stdin: string) => machine.svc(['reflexes', 'create', '-'], { stdin })
  const invalid = await create(JSON.stringify({ ...TOO_HOT, trigger: { type: 'moon' } }))
  expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('trigger')])
  const broken = await create('{"name":')
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('is not JSON')])
  const action = { type: 'webhook', url: 'https://hooks.example.com' }
  const gated = await create(JSON.stringify({ ...TOO_HOT, action }))
  expect([gated.code, gated.stderr]).toEqual([1, expect.stringContaining('Compare the tiers: ')])
})

/** A machine whose user has a due reminder. */
const newReminder = async () => {
  const { user, machine } = await newOwner()
  await write(user.client, 'Remind me in 1 second to call Ada.')
  const [reminder] = await eventually(async () => {
    const due = await json(machine, 'reminders', 'list')
    return due[0]?.state === 'open' && due
  })
  return { machine, memoryId: String(reminder.memory_ids[0]) }
}

test('reminders list has a reminder whose memory was written just before', async () => {
  const { machine } = await newOwner()
  await machine.svc(['remember', 'Remind me tomorrow to call Ana.'])
  expect(await json(machine, 'reminders', 'list')).toMatchObject([
    { state: 'upcoming', title: expect.stringContaining('call Ana') },
  ])
})

test('reminders snooze hides a reminder and keeps its memory', async () => {
  const { machine, memoryId } = await newReminder()
  const snoozed = await machine.svc(['reminders', 'snooze', 'call Ada'])
  expect(snoozed).toMatchObject({ code: 0, stderr: 'Snoozed for a day: call Ada.\n' })
  expect(await json(machine, 'reminders', 'list')).toEqual([])
  expect(await json(machine, 'memories', 'show', memoryId)).toMatchObject({ memory_id: memoryId })
})

test('reminders delete deletes the memory, which can be restored', async () => {
  const { machine, memoryId } = await newReminder()
  const deleted = await machine.svc(['reminders', 'delete', 'call Ada', '--yes'])
  expect(deleted).toMatchObject({ code: 0, stdout: '' })
  expect(await machine.svc(['memories', 'show', memoryId])).toMatchObject({ code: 1 })
  expect(await machine.svc(['memories', 'restore', memoryId])).toMatchObject({ code: 0 })
})

test('conflicts settle keeps the chosen value, and lists the values if there is none', async () => {
  const { user, machine } = await newOwner()
  await write(user.client, 'I live in Porto.', 'I live in Lisbon.')
  const [conflict] = (await json(machine, 'conflicts', 'list')).conflicts
  expect(conflict.anchor_key).toBe('home')
  const table = await machine.svc(['conflicts', 'list'])
  expect(table.stdout).toMatch(/^home +Lisbon .*\nhome +Porto /m)
  const asked = await machine.svc(['conflicts', 'settle', 'home'])
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('Lisbon, Porto')])
  const settled = await machine.svc(['conflicts', 'settle', 'home', 'porto'])
  expect(settled).toMatchObject({ code: 0, stderr: 'Settled home: Porto.\n' })
  expect((await json(machine, 'conflicts', 'list')).conflicts).toEqual([])
})

test('a table at a terminal shows a short ID, which commands accept and the shell completes', async () => {
  const { machine } = await newOwner()
  const { stdout } = await machine.svc(['devices', 'create', 'Greenhouse'])
  const short = stdout.slice(0, 8)
  const terminal = inTerminal(machine, ['devices', 'list'], {}, 40)
  expect(await terminal.child.exited).toBe(0)
  expect(terminal.seen()).toContain(short)
  expect(terminal.seen()).not.toContain(stdout.trim())
  expect(terminal.seen()).toContain('Greenhouse')
  const completed = await machine.svc(['__complete', '--', 'devices', 'delete', ''])
  expect(completed.stdout).toBe(`${short}\tGreenhouse\n`)
  const deleted = await machine.svc(['devices', 'delete', short, '--yes'])
  expect(deleted).toMatchObject({ code: 0, stderr: 'Deleted the device Greenhouse.\n' })
  const again = await machine.svc(['devices', 'delete', short, '--yes'])
  expect([again.code, again.stderr]).toEqual([
    1,
    expect.stringContaining(`No device has an ID that starts with ${short}.`),
  ])
})

test('reminders list shows what is coming with its time, and delete cancels it', async () => {
  const { machine } = await newOwner()
  for (const text of ['Remind me tomorrow at 9 to call Ada.', 'Remind me every Monday to swim.'])
    await machine.svc(['remember', text, '--occurred-at', '2099-03-06T10:00Z'])
  const listed = async () =>
    (await json(machine, 'reminders', 'list')).map(
      ({ title, due_at, state }: Record<string, string>) => [state, due_at, title],
    )
  const all = [
    ['upcoming', '2099-03-07T09:00:00.000Z', 'call Ada'],
    ['upcoming', '2099-03-09T09:00:00.000Z', 'swim every Monday'],
  ]
  await eventually(async () => (await listed()).length === all.length)
  expect(await listed()).toEqual(all)
  const { stdout } = await machine.svc(['reminders', 'list'])
  expect(stdout).toMatch(/^ID .*\n\S+ {2}upcoming {2}2099-03-07T09:00Z {2}call Ada\n/)
  const early = await machine.svc(['reminders', 'done', 'call Ada'])
  expect([early.code, early.stderr]).toEqual([
    1,
    expect.stringContaining('call Ada is not due until 2099-03-07T09:00Z.\nTo delete it, run: '),
  ])
  await machine.svc(['reminders', 'delete', 'call Ada', '--yes'])
  expect(await listed()).toEqual(all.slice(1))
})
