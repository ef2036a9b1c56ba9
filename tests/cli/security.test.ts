import { expect, setDefaultTimeout, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { PASSWORD, request, useServer } from '../harness/server.ts'
import { inTerminal, type Machine, machineWithKey, newMachine, signedInMachine } from './svc.ts'

const server = useServer()
setDefaultTimeout(120_000)

/** Enables the second factor. @returns the recovery codes. */
const enableMfa = async (machine: Machine): Promise<string[]> => {
  const { stdout } = await machine.svc(['mfa', 'enable'])
  const secret = new URL(stdout.trim()).searchParams.get('secret') ?? ''
  const code = new TOTP({ secret }).generate()
  const confirmed = await machine.svc(['mfa', 'confirm', code])
  expect(confirmed.code).toBe(0)
  return confirmed.stdout.trim().split('\n')
}

test('a sign-in needs a code after svc mfa confirm, and none after svc mfa disable', async () => {
  const { user, machine } = await signedInMachine(server.current)
  const signIn = async () =>
    (
      await request(server.current, 'POST', '/api/auth/signin', {
        body: { email: user.email, password: PASSWORD },
      })
    ).body.mfa_required
  const [recoveryCode = '', ...others] = await enableMfa(machine)
  expect(others).toHaveLength(9)
  expect(await signIn()).toBe(true)
  const renewed = await machine.svc(['mfa', 'recovery-codes', recoveryCode])
  const [code = ''] = renewed.stdout.split('\n')
  expect(await machine.svc(['mfa', 'disable', code])).toMatchObject({ code: 2, stdout: '' })
  const terminal = inTerminal(machine, ['mfa', 'disable', code])
  await terminal.sees(/Disable the second factor\?.* \[y\/N\] /)
  terminal.type('y\r')
  expect(await terminal.child.exited).toBe(0)
  expect(await signIn()).toBeUndefined()
})

test('mfa enable shows a QR code at a wide terminal only', async () => {
  const { machine } = await signedInMachine(server.current)
  for (const [columns, isShown] of [
    [80, true],
    [40, false],
  ] as const) {
    const terminal = inTerminal(machine, ['mfa', 'enable'], {}, columns)
    expect(await terminal.child.exited).toBe(0)
    expect(terminal.seen().includes('▄')).toBe(isShown)
    expect(terminal.seen()).toContain('otpauth://totp/')
  }
  expect((await machine.svc(['mfa', 'enable'])).stdout).toMatch(/^otpauth:\S+\n$/)
})

test('a wrong code is refused with the next command', async () => {
  const { machine } = await signedInMachine(server.current)
  const early = await machine.svc(['mfa', 'confirm', '000000'])
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('svc mfa enable')])
  await enableMfa(machine)
  const wrong = await machine.svc(['mfa', 'disable', 'nonsense', '--yes'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('Invalid code.')])
  expect(wrong.stderr).toContain('run: svc mfa status')
})

test('commands that need a session say svc login to an API key', async () => {
  const { machine } = await machineWithKey(server.current)
  for (const args of [
    ['mfa', 'status'],
    ['mfa', 'enable'],
    ['mfa', 'disable', '1', '--yes'],
  ]) {
    const result = await machine.svc(args)
    expect([result.code, result.stdout]).toEqual([4, ''])
    expect(result.stderr).toContain('Run: svc login')
  }
})

test.each([
  [['orgs', 'list']],
  [['share', 'list']],
  [['messages', 'list']],
  [['reflexes', 'list']],
  [['devices', 'list']],
  [['reminders', 'list']],
  [['conflicts', 'list']],
  [['usage']],
  [['sessions', 'archive', 'last']],
  [['mfa', 'status']],
  [['admin', 'jobs']],
])('svc %p without a sign-in ends with 4 and names svc login', async (args) => {
  const result = await newMachine(server.current.url).svc(args)
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toContain('svc login')
})

test('usage prints the quotas of the tier', async () => {
  const { machine } = await machineWithKey(server.current)
  const { stdout } = await machine.svc(['usage'])
  expect(stdout).toMatch(/^tier +amnesiac$/m)
  expect(stdout).toMatch(/^Messages +0 +1000 +1000$/m)
  const printed = JSON.parse((await machine.svc(['usage', '--json'])).stdout)
  expect(printed).toMatchObject({ usage: { messages: { used: 0 } }, balance_credits: 0 })
})

const newAdmin = async () => {
  const user = await newVerifiedUser(server.current)
  await claimAdmin(server.current, user)
  return user
}

test('an admin disables and enables users, and a user who is no admin does not', async () => {
  const [admin, ben] = [await newAdmin(), await newVerifiedUser(server.current)]
  const { machine } = await signedInMachine(server.current, server.current.url, admin)
  const keyStatus = async () =>
    (await request(server.current, 'GET', '/api/me', { token: ben.key })).status
  const disable = ['admin', 'users', 'disable', ben.email]
  expect(await machine.svc([...disable, '--yes'])).toMatchObject({ code: 2, stdout: '' })
  const reason = ['--reason', 'Sends spam.']
  expect(await machine.svc([...disable, ...reason])).toMatchObject({ code: 2, stdout: '' })
  await machine.svc([...disable, ...reason, '--yes'])
  expect(await keyStatus()).toBe(401)
  await machine.svc(['admin', 'users', 'enable', ben.email])
  expect(await keyStatus()).toBe(200)

  const withKey = await machineWithKey(server.current, admin)
  expect((await withKey.machine.svc(['admin', 'users', 'show', ben.id])).code).toBe(0)
  const refused = await withKey.machine.svc([...disable, ...reason, '--yes'])
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('svc login')])

  const jobs = await machine.svc(['admin', 'jobs'])
  expect(jobs.stdout).toMatch(/^KIND +WAITING +ACTIVE +DUE SINCE +FAILED$/m)
  expect(jobs.stdout).toMatch(/^mail +\d+ +\d+ .*\d+$/m)

  const other = await signedInMachine(server.current, server.current.url, ben)
  for (const args of [['users', 'list'], ['engines', 'list'], ['handlers', 'list'], ['jobs']]) {
    const result = await other.machine.svc(['admin', ...args])
    expect([result.code, result.stdout]).toEqual([1, ''])
    expect(result.stderr).toContain('Admin access required')
    expect(result.stderr).toContain('Sign in as an admin.')
  }
})
