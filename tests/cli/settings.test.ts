import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newVerifiedUser } from '../harness/http.ts'
import { request, useSharedServer } from '../harness/server.ts'
import { machineWithKey, newMachine, signedInMachine } from './svc.ts'

const server = useSharedServer()

const ORG = '01a00000-0000-7000-8000-000000000000'

test('config set takes effect, and config list shows the source of each value', async () => {
  const machine = newMachine()
  for (const [name, value] of [
    ['url', 'https://svc.example.com'],
    ['provider', 'ollama'],
    ['depth', 'deep'],
    ['org', ORG],
  ] as const)
    expect(await machine.svc(['config', 'set', name, value])).toMatchObject({ code: 0, stdout: '' })
  const path = (await machine.svc(['config', 'path'])).stdout.trim()
  expect(path).toBe(join(machine.configDir, 'config.json'))
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const listed = await machine.svc(['config', 'list'])
  expect(listed.stdout).toBe(`SETTING   VALUE                                 SOURCE
profile   default                               default
url       https://svc.example.com               config
org       ${ORG}  config
provider  ollama                                config
depth     deep                                  config
`)
  const overridden = await machine.svc(['config', 'list', '--json', '--url', 'http://a.example'], {
    env: { SVC_URL: 'http://b.example', SVC_PROFILE: 'work' },
  })
  expect(JSON.parse(overridden.stdout)).toMatchObject({
    url: { value: 'http://a.example', from: '--url' },
    profile: { value: 'work', from: 'SVC_PROFILE' },
    depth: { value: null, from: 'default' },
  })
})

test('a setting can be read and unset, and belongs to one profile', async () => {
  const machine = newMachine()
  await machine.svc(['config', 'set', 'depth', 'deep', '--profile', 'work'])
  const get = async (...args: string[]) => (await machine.svc(['config', 'get', ...args])).stdout
  expect(await get('depth')).toBe('')
  expect(await get('depth', '--profile', 'work')).toBe('deep\n')
  await machine.svc(['config', 'set', 'profile', 'work'])
  expect(await get('depth')).toBe('deep\n')
  expect(await get('profile')).toBe('work\n')
  await machine.svc(['config', 'unset', 'depth'])
  expect(await get('depth')).toBe('')
  await machine.svc(['config', 'unset', 'profile'])
  expect(await get('profile')).toBe('default\n')
})

/** Values that differ from the defaults, by the names that the help has. */
const VALUES: Record<string, { value: string; setting: string }> = {
  profile: { value: 'work', setting: 'profile' },
  url: { value: 'https://svc.example.com', setting: 'url' },
  server: { value: 'https://svc.example.com', setting: 'url' },
  org: { value: ORG, setting: 'org' },
  organization: { value: 'Acme Shops', setting: 'org' },
  provider: { value: 'ollama', setting: 'provider' },
  depth: { value: 'deep', setting: 'depth' },
}

test('the help of config names the settings that it can set', async () => {
  const machine = newMachine()
  const { stdout: about } = await machine.svc(['config', '--help'])
  const described = /settings: ([a-z, ]+)/.exec(about)?.[1]?.trim().split(', ') ?? []
  const { stdout: help } = await machine.svc(['config', 'set', '--help'])
  const choices = [...(/choices: ([^)]+)/.exec(help)?.[1] ?? '').matchAll(/"([a-z]+)"/g)]
  const names = choices.map(([, name = '']) => name)
  expect(names.toSorted()).toEqual(Object.keys(VALUES).toSorted())
  expect(described).toHaveLength(5)
  expect(names).toEqual(expect.arrayContaining(described))
})

test.each(Object.entries(VALUES))('config sets, gets and unsets %s', async (name, expected) => {
  const { value, setting } = expected
  const machine = newMachine()
  const config = (...args: string[]) => machine.svc(['config', ...args])
  const before = (await config('get', name)).stdout
  const set = await config('set', name, value, '--json')
  expect([set.code, JSON.parse(set.stdout)]).toEqual([0, { name: setting, value }])
  expect((await config('get', name)).stdout).toBe(`${value}\n`)
  expect((await config('get', setting)).stdout).toBe(`${value}\n`)
  const listed = JSON.parse((await config('list', '--json')).stdout)
  expect(listed[setting]).toEqual({ value, from: 'config' })
  expect((await config('unset', name)).code).toBe(0)
  expect((await config('get', name)).stdout).toBe(before)
})

test.each([
  [['config', 'get', 'dept'], 'Did you mean depth?'],
  [['config', 'set', 'depth', 'quik'], 'Did you mean quick?'],
  [['config', 'set', 'url', 'nonsense'], 'URL'],
  [['config', 'set', 'profile', '../x'], 'profile'],
  [['config', 'set', 'provider', ''], 'provider'],
])('svc %p is a usage error', async (args, message) => {
  const result = await newMachine().svc(args)
  expect(result).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain(message)
})

test('damaged settings are reported and not changed', async () => {
  const { machine } = await machineWithKey(server.current)
  const path = join(machine.configDir, 'config.json')
  writeFileSync(path, '{"profiles": {"default": {"url"')
  for (const args of [['whoami'], ['config', 'set', 'depth', 'deep']]) {
    const result = await machine.svc(args)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain(`${path} is damaged`)
  }
})

test('with URL and key in variables no configuration directory is needed', async () => {
  const { user } = await machineWithKey(server.current)
  const env = { SVC_CONFIG_DIR: '/dev/null/svc', SVC_URL: server.current.url }
  const result = await newMachine().svc(['whoami'], { env: { ...env, SVC_API_KEY: user.key } })
  expect(result).toMatchObject({ code: 0, stderr: '' })
  const without = await newMachine().svc(['whoami'], { env })
  expect(without).toMatchObject({ code: 1, stdout: '' })
  expect(without.stderr).toContain('Cannot access /dev/null/svc/config.json')
})

test('a lock file that cannot be opened is reported by path, not as a held lock', async () => {
  const { machine } = await machineWithKey(server.current)
  const lock = join(machine.configDir, 'credentials.lock')
  rmSync(lock)
  mkdirSync(lock)
  const result = await machine.svc(['config', 'set', 'depth', 'deep'])
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toMatch(/Cannot access \S*credentials\.lock: \w+\.\n.*SVC_CONFIG_DIR\.\n$/)
})

test('profiles lists the sign-ins and marks the current one', async () => {
  const { user, machine } = await machineWithKey(server.current)
  await machine.svc(['login', '--with-token', '--profile', 'work'], { stdin: user.key })
  const result = await machine.svc(['profiles', '--profile', 'work'])
  expect(result.stdout).toMatch(
    /^ +PROFILE +ACCOUNT +SERVER\n +default .*\n\* +work +\S+@\S+ +http/,
  )
  expect(result.stdout).not.toContain(user.key)
  const json = JSON.parse((await machine.svc(['profiles', '--json'])).stdout)
  expect(json[0]).toEqual({
    name: 'default',
    url: server.current.url,
    email: user.email,
    session: false,
    in_force: true,
  })
  expect((await newMachine().svc(['profiles'])).stderr).toContain('svc login')
})

test('whoami shows the sources of server and profile', async () => {
  const { user, machine } = await machineWithKey(server.current)
  await machine.svc(['login', '--with-token', '--profile', 'work'], { stdin: user.key })
  delete machine.env.SVC_URL
  const from = async (args: string[], env = {}) => {
    const { stdout } = await machine.svc(['whoami', '--json', ...args], { env })
    const { url_from, profile_from } = JSON.parse(stdout)
    return [url_from, profile_from]
  }
  expect(await from([])).toEqual(['profile', 'default'])
  expect(await from(['--url', server.current.url])).toEqual(['--url', 'default'])
  const env = { SVC_URL: server.current.url, SVC_PROFILE: 'work' }
  expect(await from([], env)).toEqual(['SVC_URL', 'SVC_PROFILE'])
  expect(await from(['--profile', 'work'], env)).toEqual(['SVC_URL', '--profile'])
  await machine.svc(['config', 'set', 'profile', 'work'])
  await machine.svc(['config', 'set', 'url', server.current.url])
  expect(await from([])).toEqual(['config', 'config'])
})

test('--org accepts an id, a prefix of one or a name, and memories belong to the organization', async () => {
  const user = await newVerifiedUser(server.current)
  const { machine } = await machineWithKey(server.current, user)
  const created = await request(server.current, 'POST', '/api/orgs', {
    token: user.accessToken,
    body: { name: 'Analytics' },
  })
  const { id } = created.body
  const result = await machine.svc([
    'remember',
    '--org',
    'analytics',
    '--json',
    'The team has tea.',
  ])
  expect(JSON.parse(result.stdout).org_id).toBe(id)
  await machine.svc(['config', 'set', 'org', id])
  expect((await machine.svc(['recall', 'tea'])).stdout).toContain('The team has tea.')
  expect((await machine.svc(['whoami'])).stdout).toContain('organization  Analytics, as owner')
  await machine.svc(['config', 'unset', 'org'])
  expect((await machine.svc(['recall', 'tea'])).stdout).toBe('')
  expect((await machine.svc(['recall', 'tea', '--org', id.slice(0, 8)])).stdout).toContain('tea.')
  const unknown = await machine.svc(['recall', 'tea', '--org', 'unknown'])
  expect(unknown).toMatchObject({ code: 1, stdout: '' })
  expect(unknown.stderr).toBe('error: Organization unknown does not exist.\nRun: svc orgs list\n')
})

test('keys create --org creates a key of the organization', async () => {
  const { user, machine } = await signedInMachine(server.current)
  const { body } = await request(server.current, 'POST', '/api/orgs', {
    token: user.accessToken,
    body: { name: 'Analytics' },
  })
  const result = await machine.svc(['keys', 'create', 'ci', '--org', 'Analytics', '--json'])
  expect(JSON.parse(result.stdout).org_id).toBe(body.id)
})

test('concurrent settings changes are all kept', async () => {
  const machine = newMachine()
  const names = ['a', 'b', 'c', 'd']
  await Promise.all(
    names.map((name) => machine.svc(['config', 'set', 'provider', name, '--profile', name])),
  )
  const kept = await Promise.all(
    names.map((name) => machine.svc(['config', 'get', 'provider', '--profile', name])),
  )
  expect(kept.map(({ stdout }) => stdout.trim())).toEqual(names)
})

test('--quiet suppresses notes but not errors', async () => {
  const { machine } = await machineWithKey(server.current)
  expect(await machine.svc(['recall', 'zeppelin', '--quiet'])).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  })
  const wrong = await machine.svc(['memories', 'show', crypto.randomUUID(), '--quiet'])
  expect(wrong.stderr).toContain('error: ')
})
