import { expect, test } from 'bun:test'
import { useConversation } from '../conversation/support.ts'
import { newUser } from '../harness/server.ts'
import { dmUserOf } from '../people/dm-support.ts'
import { inTerminal, machineWithKey } from './svc.ts'

const chats = useConversation()

const newPerson = async () => {
  const { user, machine } = await machineWithKey(chats.server, await chats.newUser())
  return { ...(await dmUserOf(chats.server, user)), machine }
}

test('a shared conversation is public until it is revoked', async () => {
  const { machine } = await newPerson()
  await machine.svc(['chat', 'The boiler is blue.'])
  const shared = await machine.svc(['share', 'create', 'last'])
  expect(shared.code).toBe(0)
  const url = new URL(new URL(shared.stdout.trim()).pathname, chats.server.url)
  expect(await (await fetch(url)).text()).toContain('The boiler is blue.')
  const revoked = await machine.svc(['share', 'revoke', shared.stdout.trim(), '--yes'])
  expect(revoked).toMatchObject({ code: 0, stdout: '' })
  expect((await fetch(url)).status).toBe(410)
  const again = await machine.svc(['share', 'revoke', shared.stdout.trim(), '--yes'])
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('Run: svc share list')])
})

test('share create --until shares no later message, and an unknown session is an error', async () => {
  const { machine } = await newPerson()
  await machine.svc(['chat', 'The boiler is blue.'])
  const { stdout } = await machine.svc(['sessions', 'show', 'last', '--json'])
  const [first] = JSON.parse(stdout).messages
  await machine.svc(['share', 'create', 'last', '--until', first.id.slice(0, 30)])
  const listed = await machine.svc(['share', 'list', '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ message_count: 1 }])
  const unknown = await machine.svc(['share', 'create', crypto.randomUUID()])
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('does not exist.\nRun: svc sessions list'),
  ])
})

test('a direct message is unread until messages read shows it', async () => {
  const [ada, ben] = [await newPerson(), await newPerson()]
  const sent = await ada.machine.svc(['messages', 'send', ben.username], {
    stdin: 'Lunch\nat one?',
  })
  expect(sent).toMatchObject({ code: 0, stderr: `Sent to @${ben.username}.\n` })
  const unread = async () =>
    JSON.parse((await ben.machine.svc(['messages', 'list', '--json'])).stdout).map(
      ({ unread }: { unread: number }) => unread,
    )
  expect(await unread()).toEqual([1])
  const read = await ben.machine.svc(['messages', 'read', `@${ada.username}`])
  expect(read.stdout).toMatch(new RegExp(`^@${ada.username} · .*\nLunch\nat one\\?\n$`))
  expect(await unread()).toEqual([0])
})

test('messages read pages back with the command of its hint', async () => {
  const [ada, ben] = [await newPerson(), await newPerson()]
  for (const text of ['One.', 'Two.'])
    await ada.machine.svc(['messages', 'send', ben.username, text])
  const last = await ben.machine.svc(['messages', 'read', ada.username, '--limit', '1'])
  expect(last.stdout).toEndWith('\nTwo.\n')
  const [, before = ''] = /--before (\S+)/.exec(last.stderr) ?? []
  const listed = await ben.machine.svc(['messages', 'list', '--jq', '.[0].thread_id'])
  const thread = listed.stdout.slice(0, 13)
  const earlier = await ben.machine.svc(['messages', 'read', thread, '--before', before])
  expect(earlier.stdout).toEndWith('\nOne.\n')
})

test.each([
  [['messages', 'send', 'no-such-user', 'Hello.'], 1, 'No user has this username.'],
  [['messages', 'read', 'no-such-user'], 1, 'Thread no-such-user does not exist.'],
  [['messages', 'send', 'no-such-user'], 2, 'The message is empty.'],
  [['messages', 'list', '--limit', '0'], 2, 'greater than 0'],
])('svc %p is refused', async (args, code, message) => {
  const { machine } = await newPerson()
  const result = await machine.svc(args)
  expect([result.code, result.stdout]).toEqual([code, ''])
  expect(result.stderr).toContain(message)
})

test('an unverified user is sent to svc verify', async () => {
  const { machine } = await machineWithKey(chats.server, await newUser(chats.server))
  for (const args of [
    ['messages', 'list'],
    ['share', 'list'],
    ['devices', 'list'],
  ]) {
    const result = await machine.svc(args)
    expect([result.code, result.stderr]).toEqual([
      1,
      expect.stringContaining('run: svc verify --resend'),
    ])
  }
})

test('sessions rename, archive and unarchive change the session, and repeating changes nothing', async () => {
  const { machine } = await newPerson()
  await machine.svc(['chat', 'Hello.'])
  const list = async (...options: string[]) =>
    JSON.parse((await machine.svc(['sessions', 'list', '--json', ...options])).stdout)
  await machine.svc(['sessions', 'rename', 'last', 'The', 'boiler'])
  const [{ id, title }] = await list()
  expect(title).toBe('The boiler')
  for (const [command, archived] of [
    ['archive', true],
    ['archive', true],
    ['unarchive', false],
    ['unarchive', false],
  ] as const) {
    expect(await machine.svc(['sessions', command, id])).toMatchObject({ code: 0 })
    expect((await list(...(archived ? ['--archived'] : []))).length).toBe(1)
    expect((await list(...(archived ? [] : ['--archived']))).length).toBe(0)
  }
})

test('sessions delete asks at a terminal', async () => {
  const { machine } = await newPerson()
  await machine.svc(['chat', 'Hello.'])
  for (const [typed, remaining] of [
    ['n', 1],
    ['y', 0],
  ] as const) {
    const terminal = inTerminal(machine, ['sessions', 'delete', 'last'])
    await terminal.sees(/Delete “.*” and its messages \(2\) permanently\? \[y\/N\] /)
    terminal.type(`${typed}\r`)
    expect(await terminal.child.exited).toBe(0)
    const { stdout } = await machine.svc(['sessions', 'list', '--json'])
    expect(JSON.parse(stdout)).toHaveLength(remaining)
  }
})
