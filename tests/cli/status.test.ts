import { describe, expect, test } from 'bun:test'
import { write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useServer, useSharedServer } from '../harness/server.ts'
import { machineWithKey, newMachine, signedInMachine } from './svc.ts'

const server = useSharedServer()

test('status shows the server, the reminders, the conflicts and the unread messages', async () => {
  const ada = await newVerifiedUser(server.current, 'status-ada@example.com')
  const ben = await signedInMachine(
    server.current,
    server.current.url,
    await newVerifiedUser(server.current, 'status-ben@example.com'),
  )
  await ben.machine.svc(['messages', 'send', 'status-ada', 'Lunch at one?'])
  await write(
    ada.client,
    'I live in Porto.',
    'I live in Lisbon.',
    'Remind me tomorrow at 9 to call Ada.',
    { content: 'Remind me in 1 minute to swim.', occurred_at: '2020-01-01T00:00:00Z' },
  )
  const { machine } = await machineWithKey(server.current, ada)
  const { code, stdout, stderr } = await machine.svc(['status'])
  expect(code).toBe(0)
  expect(stdout).toContain(`server        ${server.current.url} (svc `)
  expect(stdout).toMatch(
    /^reminders {5}0 due, 1 to come\nnext {10}\S+Z call Ada\nconflicts {5}1\n/m,
  )
  expect(stdout).toContain('unread        1 direct message\n')
  expect(stderr).toBe(
    'To list the messages, run: svc messages list\nTo list the conflicts, run: svc conflicts list\n',
  )
  expect(JSON.parse((await machine.svc(['status', '--json'])).stdout)).toMatchObject({
    email: ada.email,
    status: 'ok',
    organization: null,
    reminders_due: 0,
    next_reminder: { title: 'call Ada', state: 'upcoming' },
    conflicts: 1,
    unread_messages: 1,
  })
})

describe('a server without reminders, messages and payments', () => {
  const without = useServer({ SVC_FEATURES: '-automation,-billing,-people' })

  test('status shows the rest', async () => {
    const { machine } = await machineWithKey(
      without.current,
      await newVerifiedUser(without.current),
    )
    const { code, stdout, stderr } = await machine.svc(['status'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^conflicts {5}0$/m)
    expect(stdout).not.toMatch(/reminders|unread/)
  })

  test('status asks for no verified address, which nothing of it needs', async () => {
    const { machine } = await machineWithKey(without.current)
    const { code, stderr } = await machine.svc(['status'])
    expect([code, stderr]).toEqual([0, ''])
  })

  test('usage shows the quotas alone', async () => {
    const { machine } = await machineWithKey(without.current)
    const { code, stdout, stderr } = await machine.svc(['usage'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Messages +0 +1000 +1000$/m)
    expect(stdout).not.toContain('credits')
  })

  test('a command of a feature that is off names the operator', async () => {
    const { machine } = await machineWithKey(without.current)
    const { code, stderr } = await machine.svc(['reflexes', 'list'])
    expect([code, stderr]).toEqual([
      1,
      'error: The operator of this server has turned off the feature automation (SVC_FEATURES) (404)\nAsk the operator, or name another server with --url.\n',
    ])
  })
})

test('status works before the address is verified, and ends with 4 without a sign-in', async () => {
  const { machine } = await machineWithKey(server.current)
  const early = await machine.svc(['status'])
  expect([early.code, early.stderr]).toEqual([0, expect.stringContaining('svc verify --resend')])
  expect(early.stdout).not.toContain('unread')
  expect((await newMachine(server.current.url).svc(['status'])).code).toBe(4)
})

test('auth token prints the credential, and ends with 4 without one', async () => {
  const { machine, user } = await machineWithKey(server.current)
  expect(await machine.svc(['auth', 'token'])).toEqual({
    code: 0,
    stdout: `${user.key}\n`,
    stderr: '',
  })
  const { stdout } = await machine.svc(['auth', 'token', '--json'], {
    env: { SVC_API_KEY: 'svc_other' },
  })
  expect(JSON.parse(stdout)).toMatchObject({
    token: 'svc_other',
    credential_from: { kind: 'environment' },
  })
  expect(await newMachine(server.current.url).svc(['auth', 'token'])).toMatchObject({
    code: 4,
    stdout: '',
  })
})

test('audit lists the events of the account in pages, and needs a session', async () => {
  const { machine } = await signedInMachine(server.current)
  await machine.svc(['keys', 'create', 'build'])
  const page = await machine.svc(['audit', '--action', 'key.', '--limit', '1'])
  expect(page.stdout).toMatch(/^TIME .*\n\S+Z {2}key\.created/)
  const [, more = ''] = /run: svc (audit .*)\n/.exec(page.stderr) ?? []
  const next = await machine.svc([...more.split(' '), '--json', 'action'])
  expect(JSON.parse(next.stdout)).toEqual([{ action: 'key.created' }])
  const { machine: withKey } = await machineWithKey(server.current)
  expect(await withKey.svc(['audit'])).toMatchObject({ code: 4, stdout: '' })
})

test('a server URL needs no scheme, in an option, a variable and a setting', async () => {
  const { machine, user } = await machineWithKey(server.current)
  const address = new URL(server.current.url).host
  const whoami = async (args: string[], env: Record<string, string> = {}) =>
    (await machine.svc(['whoami', '--json=url,email', ...args], { env })).stdout
  const expected = { url: server.current.url, email: user.email }
  expect(JSON.parse(await whoami(['--url', address]))).toEqual(expected)
  expect(JSON.parse(await whoami([], { SVC_URL: address }))).toEqual(expected)
  await machine.svc(['config', 'set', 'url', address], { env: { SVC_URL: '' } })
  expect(JSON.parse(await whoami([], { SVC_URL: '' }))).toEqual(expected)
})
