import { expect, setDefaultTimeout, test } from 'bun:test'
import { newVerifiedUser } from '../harness/http.ts'
import { PASSWORD, request, uniqueEmail, useServer } from '../harness/server.ts'
import { inTerminal, machineWithKey, newMachine, signedInMachine } from './svc.ts'

const server = useServer()
setDefaultTimeout(120_000)

/** A signed-in machine with a second key, which is the one to revoke. */
const withKey = async () => {
  const { user, machine } = await signedInMachine(server.current)
  const { body: key } = await request(server.current, 'POST', '/api/auth/api-keys', {
    token: user.accessToken,
    body: { name: 'build server' },
  })
  const isValid = async () =>
    (await request(server.current, 'GET', '/api/me', { token: key.key })).status === 200
  return { machine, key, title: `build server (${key.key_prefix}…)`, isValid }
}

test('keys revoke without a terminal needs --yes', async () => {
  const { machine, key, isValid } = await withKey()
  const result = await machine.svc(['keys', 'revoke', key.id])
  expect([result.code, result.stdout]).toEqual([2, ''])
  expect(result.stderr).toContain(`Run: svc keys revoke ${key.id} --yes`)
  expect(await isValid()).toBe(true)
})

test('keys revoke --yes revokes the key of a name', async () => {
  const { machine, key, title, isValid } = await withKey()
  const result = await machine.svc(['keys', 'revoke', key.name, '--yes'])
  expect(result).toEqual({ code: 0, stdout: '', stderr: `Revoked the key ${title}.\n` })
  expect(await isValid()).toBe(false)
})

test.each([
  ['n', 0, true],
  ['y', 0, false],
])('keys revoke asks in a terminal, and %s is heeded', async (typed, code, remains) => {
  const { machine, key, title, isValid } = await withKey()
  const terminal = inTerminal(machine, ['keys', 'revoke', key.id])
  await terminal.sees(/Revoke the key .*\? \[y\/N\] /)
  expect(terminal.seen()).toContain(title)
  terminal.type(`${typed}\r`)
  expect(await terminal.child.exited).toBe(code)
  expect(terminal.seen()).not.toContain('error')
  expect(await isValid()).toBe(remains)
})

test('a command without a sign-in names SVC_API_KEY', async () => {
  const machine = newMachine(server.current.url)
  for (const command of [['whoami'], ['keys', 'list'], ['verify', '--resend']]) {
    const result = await machine.svc(command)
    expect([result.code, result.stderr]).toEqual([4, expect.stringContaining('set SVC_API_KEY')])
  }
})

test('whoami shows the prefix of the key', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const prefix = user.key.slice(0, 8)
  expect((await machine.svc(['whoami'])).stdout).toContain(`API key ${prefix}… from profile`)
  const { stdout } = await machine.svc(['whoami', '--json'])
  expect(JSON.parse(stdout).key_prefix).toBe(prefix)
  expect(stdout).not.toContain(user.key)
})

test('verify --resend sends a new link, which verify accepts', async () => {
  const { user, machine } = await signedInMachine(server.current)
  const links = () =>
    server.current.notices
      .filter((text) => text.startsWith(`Mail to ${user.email} `))
      .flatMap((text) => /\S+\/verify\?token=[\w-]+/.exec(text)?.[0] ?? [])
  await server.current.noticed(new RegExp(`^Mail to ${user.email} [^]*/verify\\?token=`))
  const [first] = links()
  const sent = await machine.svc(['verify', '--resend'])
  expect([sent.code, sent.stdout]).toEqual([0, ''])
  await server.current.noticed(
    new RegExp(`^Mail to ${user.email} [^]*/verify\\?token=(?!${first?.split('=')[1]})`),
  )
  const second = links().find((link) => link !== first) ?? ''
  expect(await machine.svc(['verify', second])).toMatchObject({ code: 0 })
  const me = await request(server.current, 'GET', '/api/me', { token: user.key })
  expect(me.body.email_verified).toBe(true)
})

test('verify without a link and without --resend is a usage error', async () => {
  const { machine } = await signedInMachine(server.current)
  const result = await machine.svc(['verify'])
  expect(result.code).toBe(2)
  expect(result.stderr).toContain('svc verify --resend')
})

test('email change asks for the password, and the mailed links confirm and undo it', async () => {
  const user = await newVerifiedUser(server.current)
  const { machine } = await signedInMachine(server.current, server.current.url, user)
  const email = uniqueEmail()
  const linkTo = async (address: string, page: string) => {
    const mail = await server.current.noticed(
      new RegExp(`^Mail to ${address} [^]*/email/${page}\\?token=`),
    )
    return new RegExp(`\\S+/email/${page}\\?token=[\\w-]+`).exec(mail)?.[0] ?? ''
  }
  const unasked = await machine.svc(['email', 'change', email])
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--password-file')])
  const terminal = inTerminal(machine, ['email', 'change', email])
  await terminal.sees(/Password .*: /)
  terminal.type(`${PASSWORD}\r`)
  expect(await terminal.child.exited).toBe(0)
  expect(terminal.seen()).not.toContain(PASSWORD)

  const confirmed = await machine.svc(['email', 'confirm', await linkTo(email, 'change')])
  expect(confirmed).toEqual({ code: 0, stdout: '', stderr: 'Email address changed.\n' })
  const undone = await machine.svc(['email', 'undo', await linkTo(user.email, 'undo')])
  expect([undone.code, undone.stderr]).toEqual([
    0,
    expect.stringContaining('Email address restored'),
  ])
})
