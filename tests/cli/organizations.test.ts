import { expect, setDefaultTimeout, test } from 'bun:test'
import { newVerifiedUser } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'
import { inTerminal, type Machine, signedInMachine } from './svc.ts'

const server = useSharedServer()
setDefaultTimeout(120_000)

const newMember = async () =>
  signedInMachine(server.current, server.current.url, await newVerifiedUser(server.current))

/** Runs svc and returns its stdout. */
const svc = async (machine: Machine, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await machine.svc(args)
  expect([args, code, stderr]).toEqual([args, 0, expect.any(String)])
  return stdout.trim()
}

const json = async (machine: Machine, ...args: string[]) =>
  JSON.parse(await svc(machine, ...args, '--json'))

/** An owner and a member of Analytics. */
const newOrganization = async () => {
  const [ada, ben] = [await newMember(), await newMember()]
  const id = await svc(ada.machine, 'orgs', 'create', 'Analytics')
  await svc(ada.machine, 'orgs', 'switch', 'analytics')
  const link = await svc(ada.machine, 'orgs', 'invite', ben.user.email)
  expect(await svc(ben.machine, 'orgs', 'join', link)).toBe(id)
  return { ada, ben, id }
}

test('a member who joined by the link shares the memory of the organization', async () => {
  const { ada, ben } = await newOrganization()
  await svc(ada.machine, 'remember', 'The report is due on 15 April.')
  expect(await svc(ben.machine, 'recall', 'report')).toBe('')
  await svc(ben.machine, 'orgs', 'switch', 'Analytics')
  expect(await svc(ben.machine, 'recall', 'report')).toContain('15 April')
  await svc(ben.machine, 'orgs', 'switch', '--personal')
  expect(await svc(ben.machine, 'recall', 'report')).toBe('')
})

test('orgs switch changes the active organization of the server too', async () => {
  const { ada, id } = await newOrganization()
  expect(await json(ada.machine, 'orgs', 'list')).toMatchObject([{ id, is_active: true }])
  expect(await svc(ada.machine, 'orgs', 'list')).toContain('* Analytics')
  const other = await svc(ada.machine, 'orgs', 'create', 'Research')
  const byPrefix = await svc(ada.machine, 'orgs', 'list', '--org', other.slice(0, 20))
  expect(byPrefix.match(/\* \w+/g)).toEqual(['* Research'])
  const unknown = await svc(ada.machine, 'orgs', 'list', '--org', 'Nowhere')
  expect(unknown).not.toContain('*')
  await svc(ada.machine, 'orgs', 'switch', '--personal')
  expect(await json(ada.machine, 'orgs', 'list')).toContainEqual(
    expect.objectContaining({ id, is_active: false }),
  )
})

test('orgs role and orgs remove change a member named by email', async () => {
  const { ada, ben, id } = await newOrganization()
  await svc(ada.machine, 'orgs', 'role', ben.user.email, 'admin')
  const members = await json(ada.machine, 'orgs', 'members')
  expect(members.map(({ role }: { role: string }) => role)).toEqual(['owner', 'admin'])
  const asked = await ada.machine.svc(['orgs', 'remove', ben.user.email])
  expect([asked.code, asked.stderr]).toEqual([
    2,
    expect.stringContaining(`orgs remove '${ben.user.email}' --yes`),
  ])
  await svc(ada.machine, 'orgs', 'remove', ben.user.email, '--yes')
  const refused = await ben.machine.svc(['orgs', 'members', '--org', id])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Run: svc orgs list')])
})

test('orgs leave asks at a terminal and clears the stored organization', async () => {
  const { ben } = await newOrganization()
  await svc(ben.machine, 'orgs', 'switch', 'Analytics')
  const declined = inTerminal(ben.machine, ['orgs', 'leave'])
  await declined.sees(/Leave Analytics\?.* \[y\/N\] /)
  declined.type('n\r')
  expect(await declined.child.exited).toBe(0)
  expect(declined.seen()).toContain('Nothing was changed.')
  const accepted = inTerminal(ben.machine, ['orgs', 'leave'])
  await accepted.sees(/\[y\/N\] /)
  accepted.type('y\r')
  expect(await accepted.child.exited).toBe(0)
  expect(await json(ben.machine, 'orgs', 'list')).toEqual([])
  expect(await json(ben.machine, 'config', 'get', 'org')).toMatchObject({ value: null })
})

test('a member who is not a manager cannot invite, and the error says who can', async () => {
  const { ben } = await newOrganization()
  const result = await ben.machine.svc(['orgs', 'invite', 'x@example.com', '--org', 'Analytics'])
  expect([result.code, result.stdout]).toEqual([1, ''])
  expect(result.stderr).toContain('Only an owner or an admin of the organization can do this')
})

test.each([
  [['orgs', 'members'], 2, 'No organization is chosen.', '--org NAME'],
  [
    ['orgs', 'members', '--org', 'Nowhere'],
    1,
    'Organization Nowhere does not exist.',
    'svc orgs list',
  ],
  [['orgs', 'switch'], 2, 'Name an organization, or use --personal.', 'svc orgs list'],
  [['orgs', 'switch', 'x', '--personal'], 2, 'Name an organization', 'svc orgs list'],
  [['orgs', 'invite', 'x', '--role', 'ownr'], 2, 'Allowed choices are admin, member', '--help'],
  [['orgs', 'join', 'nonsense'], 1, '', 'invite'],
])('svc %p is refused with a hint', async (args, code, message, hint) => {
  const { machine } = await newMember()
  const result = await machine.svc(args)
  expect([result.code, result.stdout]).toEqual([code, ''])
  expect(result.stderr).toContain(message)
  expect(result.stderr).toContain(hint)
})

test('a name of two organizations is refused, and an ID is not', async () => {
  const { machine } = await newMember()
  const id = await svc(machine, 'orgs', 'create', 'Twins')
  await svc(machine, 'orgs', 'create', 'twins')
  const result = await machine.svc(['orgs', 'switch', 'TWINS'])
  expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('is not unique')])
  await svc(machine, 'orgs', 'switch', id)
})

test('leaving names the command that deletes an organization to its last owner, who renames and deletes it', async () => {
  const { ada, ben, id } = await newOrganization()
  await svc(ada.machine, 'remember', 'The report is due on 15 April.')
  const leaving = await ada.machine.svc(['orgs', 'leave', '--yes'])
  expect([leaving.code, leaving.stderr]).toEqual([
    1,
    expect.stringContaining('To delete the organization, run: svc orgs delete NAME'),
  ])
  const refused = await ben.machine.svc(['orgs', 'rename', 'Analytics', 'Mine'])
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Only an owner')])
  expect(await json(ada.machine, 'orgs', 'rename', 'analytics', 'Research Group')).toMatchObject({
    id,
    name: 'Research Group',
  })
  const terminal = inTerminal(ada.machine, ['orgs', 'delete', 'Research Group'])
  await terminal.sees(/Delete Research Group with its members.*\[y\/N\] /)
  terminal.type('y\r')
  expect(await terminal.child.exited).toBe(0)
  expect(await json(ada.machine, 'orgs', 'list')).toEqual([])
  expect(await json(ben.machine, 'orgs', 'list')).toEqual([])
  // The deleted organization is no longer the chosen one.
  expect(await svc(ada.machine, 'recall', 'report')).toBe('')
})

test('orgs rename keeps an organization chosen that was chosen by name', async () => {
  const { ada, id } = await newOrganization()
  await svc(ada.machine, 'config', 'set', 'org', 'analytics')
  await svc(ada.machine, 'orgs', 'rename', id, 'Research')
  expect((await json(ada.machine, 'whoami')).org).toMatchObject({ id, name: 'Research' })
})

test('orgs delete works with a personal API key of an owner', async () => {
  const { ada } = await newOrganization()
  const env = { SVC_API_KEY: ada.user.key }
  const deleted = await ada.machine.svc(['orgs', 'delete', 'Analytics', '--yes'], { env })
  expect(deleted.code).toBe(0)
  expect(await json(ada.machine, 'orgs', 'list')).toEqual([])
})

test('orgs policies shows the policies, and changes those of its options', async () => {
  const { ada, ben } = await newOrganization()
  await svc(ben.machine, 'orgs', 'switch', 'Analytics')
  const options = ['--session-hours', '720', '--providers', 'password', '--key-scopes', 'chat']
  expect(await svc(ada.machine, 'orgs', 'policies', ...options)).toContain('720 hours')
  expect(await json(ben.machine, 'orgs', 'policies')).toMatchObject({
    second_factor: 'none',
    providers: ['password'],
    session_hours: 720,
    key_scopes: ['chat'],
    missing: [{ action: 'use_org_key' }, { action: 'narrow_scopes', allowed: ['chat'] }],
  })
  const refused = await ben.machine.svc(['recall', 'report'])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('Limit the scopes of this API key to: chat'),
  ])
  const open = ['--session-hours', 'none', '--providers', 'all', '--key-scopes', 'all']
  expect(await json(ada.machine, 'orgs', 'policies', ...open)).toMatchObject({
    providers: null,
    session_hours: null,
    key_scopes: null,
  })
  expect((await ada.machine.svc(['orgs', 'policies', '--session-hours', 'many'])).code).toBe(2)
})

test('orgs add-domain prints the record of a domain, which is listed until it is removed', async () => {
  const { ada } = await newOrganization()
  const record = await svc(ada.machine, 'orgs', 'add-domain', 'acme.test', '--joins')
  expect(record).toMatch(/^svc-domain-verification=[\w-]{43}$/)
  expect(await json(ada.machine, 'orgs', 'domains')).toMatchObject([
    { domain: 'acme.test', joins: true, verified_at: null, record: { value: record } },
  ])
  expect(await svc(ada.machine, 'orgs', 'domains')).toContain('not verified')
  const unverified = await ada.machine.svc(['orgs', 'verify-domain', 'acme.test'])
  expect(unverified.code).toBe(1)
  await svc(ada.machine, 'orgs', 'remove-domain', 'acme.test', '--yes')
  expect(await json(ada.machine, 'orgs', 'domains')).toEqual([])
})
