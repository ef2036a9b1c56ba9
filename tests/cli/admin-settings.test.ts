import { expect, setDefaultTimeout, test } from 'bun:test'
import { readSettings } from '../admin/settings-support.ts'
import { runSql } from '../harness/http.ts'
import { startMailbox } from '../harness/mail.ts'
import { useServer } from '../harness/server.ts'
import { signedInMachine } from './svc.ts'

const SECRET = 'a-secret-that-is-never-shown-4711'
const server = useServer()
setDefaultTimeout(120_000)

const adminMachine = async () => {
  const { user, machine } = await signedInMachine(server.current)
  await runSql(server.current.database, `update users set is_admin = true where id = '${user.id}'`)
  return { user, svc: (...args: string[]) => machine.svc(['admin', ...args]), machine }
}

test('settings are set, listed, tested and unset at a terminal', async () => {
  await using mailbox = await startMailbox()
  const { user, svc } = await adminMachine()
  const set = await svc('settings', 'set', 'SVC_MAIL_FROM=box@example.com', 'SVC_BACKUP_KEEP=3')
  expect(set).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Set SVC_MAIL_FROM, SVC_BACKUP_KEEP. The server uses the change now.\n',
  })
  const listed = await svc('settings', 'list', '--group', 'mail')
  expect(listed.stdout).toContain('box@example.com')
  expect(listed.stdout).not.toContain('SVC_BACKUP_KEEP')

  const works = await svc('settings', 'test', 'mail', `SVC_SMTP_URL=${mailbox.url}`)
  expect([works.code, works.stdout]).toEqual([0, expect.stringContaining('accepted an email')])
  expect((await mailbox.next(user.email)).from).toBe('box@example.com')
  const fails = await svc('settings', 'test', 'mail', 'SVC_SMTP_URL=smtp://127.0.0.1:1')
  expect([fails.code, fails.stdout]).toEqual([1, expect.stringContaining('cannot be reached')])

  expect((await svc('settings', 'unset', 'SVC_MAIL_FROM', 'SVC_BACKUP_KEEP')).code).toBe(0)
  expect((await readSettings(server.current, user)).SVC_MAIL_FROM?.source).toBe('default')
})

test('a secret is read from stdin and not printed', async () => {
  const { user, svc, machine } = await adminMachine()
  const set = await machine.svc(['admin', 'settings', 'set', 'SVC_OPENROUTER_API_KEY=-'], {
    stdin: `${SECRET}\n`,
  })
  expect(set.code).toBe(0)
  const listed = await svc('settings', 'list', '--json')
  expect(`${set.stdout}${set.stderr}${listed.stdout}`).not.toContain(SECRET)
  expect((await readSettings(server.current, user)).SVC_OPENROUTER_API_KEY?.hint).toBe('4711')
})

test('a mistake is named, and an assignment without a value is a usage error', async () => {
  const { svc } = await adminMachine()
  const wrong = await svc('settings', 'set', 'SVC_LOG_LEVEL=loud')
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('SVC_LOG_LEVEL must be one of trace'),
  ])
  const incomplete = await svc('settings', 'set', 'SVC_LOG_LEVEL')
  expect([incomplete.code, incomplete.stderr]).toEqual([
    2,
    expect.stringContaining('SVC_LOG_LEVEL has no value.'),
  ])
})

test('the log is printed with its levels and processes', async () => {
  const { svc } = await adminMachine()
  const { code, stdout } = await svc('logs', '--search', 'request', '--limit', '5')
  expect(code).toBe(0)
  expect(stdout).toContain(`/${process.pid}`)
  expect(stdout).toContain('request')
})
