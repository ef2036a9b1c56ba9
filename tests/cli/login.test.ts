import { expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { quietPort } from '../harness/ports.ts'
import { newUser, request, startServer, useServer } from '../harness/server.ts'
import { answer, login, machineWithKey, newMachine, readUntil, signedInMachine } from './svc.ts'

const server = useServer()

setDefaultTimeout(120_000)

const stored = (file: string) => JSON.parse(readFileSync(file, 'utf8')).profiles.default

const mode = (path: string) => statSync(path).mode & 0o777

test('login waits for approval in the browser, then other commands work', async () => {
  const user = await newUser(server.current)
  const machine = newMachine(server.current.url)
  const output = await login(machine, async (code) => {
    const question = await request(
      server.current,
      'GET',
      `/api/auth/mcp/authorize?user_code=${code}`,
      { token: user.accessToken },
    )
    expect(question.body.client_name).toStartWith('svc on ')
    expect(question.body.session).toBe(true)
    await answer(server.current, user, code, true)
  })
  expect(output.code).toBe(0)
  expect(output.stdout).toBe('')
  expect(output.stderr).toContain(`${server.current.baseUrl}/device?user_code=`)
  expect(output.stderr).toContain(`Signed in to ${server.current.url} as ${user.email}.`)

  const result = await machine.svc(['whoami'])
  expect(result.stdout).toContain(user.email)
  const remembered = await machine.svc([
    'remember',
    'The',
    'spare',
    'key',
    'is',
    'in',
    'the',
    'shed.',
  ])
  expect(remembered.stdout).toMatch(/^[0-9a-f-]{36}\n$/)
  const recalled = await machine.svc(['recall', 'Where', 'is', 'the', 'spare', 'key?'])
  expect(recalled.stdout).toStartWith('The spare key is in the shed.\n')

  const created = await machine.svc(['keys', 'create', 'build server'])
  expect(created.stdout).toMatch(/^svc_\w{49}\n$/)
  expect(created.stderr).not.toContain(created.stdout.trim())
  const listed = await machine.svc(['keys', 'list', '--json'])
  const key = JSON.parse(listed.stdout).find(
    ({ name }: { name: string }) => name === 'build server',
  )
  const list = await machine.svc(['keys', 'list'])
  expect(list.stdout.split('\n')[0]).toMatch(/^ID +PREFIX +CREATED +LAST USED +MAY +NAME$/)
  expect(list.stdout).toMatch(
    new RegExp(`^${key.id}  ${key.key_prefix} .* never +everything  build server$`, 'm'),
  )
  expect((await machine.svc(['keys', 'revoke', key.id, '--yes'])).code).toBe(0)
  const used = await request(server.current, 'GET', '/api/me', { token: created.stdout.trim() })
  expect(used.status).toBe(401)
  const again = await machine.svc(['keys', 'revoke', key.id, '--yes'])
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('Run: svc keys list')

  const { api_key, refresh_token } = stored(machine.credentialsFile)
  expect((await machine.svc(['logout'])).code).toBe(0)
  expect((await request(server.current, 'GET', '/api/me', { token: api_key })).status).toBe(401)
  const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
    cookie: refresh_token,
  })
  expect(refreshed.status).toBe(401)
})

test('logout revokes the key, ends the session and deletes both', async () => {
  const { machine } = await signedInMachine(server.current)
  const { api_key, refresh_token } = stored(machine.credentialsFile)
  const result = await machine.svc(['logout'])
  expect(result.code).toBe(0)
  expect(result.stderr).toBe(`Signed out of ${server.current.url}.\n`)
  expect(stored(machine.credentialsFile)).toBeUndefined()
  expect((await request(server.current, 'GET', '/api/me', { token: api_key })).status).toBe(401)
  const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
    cookie: refresh_token,
  })
  expect(refreshed.status).toBe(401)
  expect((await machine.svc(['whoami'])).code).toBe(4)
  expect((await machine.svc(['logout'])).code).toBe(0)
})

test('signing in again revokes the previous key and session', async () => {
  const { machine } = await signedInMachine(server.current)
  const { api_key, refresh_token } = stored(machine.credentialsFile)
  const { key } = await newUser(server.current)
  await machine.svc(['login', '--with-token'], { stdin: key })
  expect(stored(machine.credentialsFile).api_key).toBe(key)
  expect((await request(server.current, 'GET', '/api/me', { token: api_key })).status).toBe(401)
  const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
    cookie: refresh_token,
  })
  expect(refreshed.status).toBe(401)
})

test('concurrent key commands share the session through the lock', async () => {
  let refreshing = 0
  let most = 0
  // A slow server: without the lock both commands would wait for it at once.
  using slow = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(call) {
      const { pathname } = new URL(call.url)
      const isRefresh = pathname === '/api/auth/refresh'
      if (isRefresh) most = Math.max(most, ++refreshing)
      const passedOn = await fetch(new URL(pathname, server.current.url), {
        method: call.method,
        headers: call.headers,
        body: await call.blob(),
      })
      if (isRefresh) await Bun.sleep(400)
      if (isRefresh) refreshing--
      return passedOn
    },
  })
  const { machine } = await signedInMachine(server.current, slow.url.origin)
  const before = stored(machine.credentialsFile).refresh_token
  const ends = await Promise.all(
    ['one', 'two', 'three'].map((name) => machine.svc(['keys', 'create', name])),
  )
  expect(ends.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(most).toBe(1)
  expect(stored(machine.credentialsFile).refresh_token).not.toBe(before)
  expect((await machine.svc(['keys', 'list'])).code).toBe(0)
})

test('a session that was ended elsewhere fails with a sign-in hint', async () => {
  const { machine } = await signedInMachine(server.current)
  const { refresh_token } = stored(machine.credentialsFile)
  await request(server.current, 'POST', '/api/auth/signout', { cookie: refresh_token })
  const result = await machine.svc(['keys', 'list'])
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toContain('Run: svc login')
})

test('a denied login exits with 1 and stores nothing', async () => {
  const user = await newUser(server.current)
  const machine = newMachine(server.current.url)
  const result = await login(machine, (code) => answer(server.current, user, code, false))
  expect(result).toMatchObject({ code: 1, stdout: '' })
  expect(result.stderr).toContain('The login was denied.')
  expect(existsSync(machine.credentialsFile)).toBe(false)
})

test('a login survives a restart of the server before the decision', async () => {
  const port = String(await quietPort())
  const first = await startServer({ SVC_PORT: port })
  const user = await newUser(first)
  const machine = newMachine(first.url)
  const keep = first.database
  const drop = keep.drop
  keep.drop = async () => {}
  const [stopped, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pauses = [stopped.promise, decided.promise]
  const sleep = () => pauses.shift() ?? Promise.reject(new Error('a third poll'))
  const running = machine.start(['login', '--json'], { clock: { now: Date.now, sleep } })
  const reader = running.stderr.getReader()
  const [, code = ''] = await readUntil(reader, /Code {3}(\S+)\n/)
  await first.stop()
  stopped.resolve()
  await readUntil(reader, /retrying/)
  const second = await startServer({ SVC_PORT: port }, keep)
  await answer(second, user, code, true)
  decided.resolve()
  const { code: exit, stdout } = await running.ended
  expect(JSON.parse(stdout)).toEqual({ profile: 'default', url: first.url, email: user.email })
  expect(exit).toBe(0)
  await second.stop()
  await drop()
})

test('interrupting a login exits with 130', async () => {
  const machine = newMachine(server.current.url)
  const child = Bun.spawn(machine.command('login'), {
    env: machine.env,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  await readUntil(child.stderr.getReader(), /Waiting/)
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
})

test('a key from --with-token remembers and recalls, but cannot manage keys', async () => {
  const { user, machine } = await machineWithKey(server.current)
  expect((await machine.svc(['remember', 'Ada prefers tea.'])).code).toBe(0)
  const result = await machine.svc(['keys', 'list'])
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(result.stderr).toContain('An API key cannot manage the account')
  expect(result.stderr).toContain('svc login')
  const out = await machine.svc(['logout'])
  expect(out.stderr).toContain('The key came from --with-token and stays valid')
  expect((await request(server.current, 'GET', '/api/me', { token: user.key })).status).toBe(200)
})

test('an unknown key is not stored', async () => {
  const machine = newMachine(server.current.url)
  const result = await machine.svc(['login', '--with-token'], { stdin: 'svc_unknown' })
  expect(result).toMatchObject({ code: 4, stdout: '' })
  expect(existsSync(machine.credentialsFile)).toBe(false)
})

test('the credentials file is private, also if it was readable before', async () => {
  const { user, machine } = await machineWithKey(server.current)
  expect(mode(machine.configDir)).toBe(0o700)
  expect(mode(machine.credentialsFile)).toBe(0o600)
  chmodSync(machine.configDir, 0o755)
  chmodSync(machine.credentialsFile, 0o644)
  await machine.svc(['whoami'])
  expect(mode(machine.credentialsFile)).toBe(0o600)
  await machine.svc(['login', '--with-token'], { stdin: user.key })
  expect(mode(machine.configDir)).toBe(0o700)
  for (const name of readdirSync(machine.configDir))
    expect(mode(`${machine.configDir}/${name}`)).toBe(0o600)
})

test('without SVC_CONFIG_DIR the credentials are in XDG_CONFIG_HOME or ~/.config', async () => {
  const { key } = await newUser(server.current)
  const machine = newMachine(server.current.url)
  const home = machine.env.HOME ?? ''
  const login = ['login', '--with-token']
  const env = { SVC_CONFIG_DIR: '' }
  await machine.svc(login, { stdin: key, env })
  expect(mode(`${home}/.config/svc/credentials.json`)).toBe(0o600)
  await machine.svc(login, { stdin: key, env: { ...env, XDG_CONFIG_HOME: `${home}/xdg` } })
  expect(mode(`${home}/xdg/svc/credentials.json`)).toBe(0o600)
})

test.each([
  ['cut off', '{"profiles": {"default": {"api_key": "svc_secret'],
  ['not JSON', 'svc_secret'],
  ['of another shape', '{"profiles": {"default": {"api_key": "svc_secret"}}}'],
  ['an array', '["svc_secret"]'],
])('a credentials file that is %s is reported and left as it is', async (_, text) => {
  const { user, machine } = await machineWithKey(server.current)
  writeFileSync(machine.credentialsFile, text)
  for (const args of [['whoami'], ['login', '--with-token'], ['logout'], ['keys', 'list']]) {
    const result = await machine.svc([...args, '--debug'], { stdin: user.key })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toContain(`${machine.credentialsFile} is damaged`)
    expect(result.stderr).not.toContain('svc_secret')
  }
  expect(readFileSync(machine.credentialsFile, 'utf8')).toBe(text)
  const without = await machine.svc(['whoami'], { env: { SVC_API_KEY: user.key } })
  expect(without.code).toBe(0)
})

test('logout deletes the key without the server, and warns', async () => {
  const other = await startServer({ SVC_PORT: String(await quietPort()) })
  const { machine } = await signedInMachine(other)
  await other.stop()
  const result = await machine.svc(['logout', '--json'])
  expect(result.code).toBe(0)
  expect(JSON.parse(result.stdout)).toMatchObject({ removed: true, revoked: false })
  expect(result.stderr).toContain('warning: ')
  expect(stored(machine.credentialsFile)).toBeUndefined()
})

test('profiles are independent', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const other = await newUser(server.current)
  await machine.svc(['login', '--with-token', '--profile', 'work'], { stdin: other.key })
  const result = async (args: string[], env = {}) =>
    JSON.parse((await machine.svc(['whoami', '--json', ...args], { env })).stdout).email
  expect(await result([])).toBe(user.email)
  expect(await result(['--profile', 'work'])).toBe(other.email)
  expect(await result([], { SVC_PROFILE: 'work' })).toBe(other.email)
  expect(await result(['--profile', 'default'], { SVC_PROFILE: 'work' })).toBe(user.email)
  await machine.svc(['logout', '--profile', 'work'])
  expect(await result([])).toBe(user.email)
})

test('variables take precedence over the stored profile, and whoami shows the source', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const other = await newUser(server.current)
  const stored = await machine.svc(['whoami'])
  expect(stored.stdout).toBe(`${user.email}
  server        ${server.current.url} (from SVC_URL)
  profile       default (by default)
  credential    API key ${user.key.slice(0, 8)}… from profile default
  tier          amnesiac
`)
  const env = { SVC_API_KEY: other.key }
  const overridden = await machine.svc(['whoami'], { env })
  expect(overridden.stdout).toContain(other.email)
  expect(overridden.stdout).toContain(
    `API key ${other.key.slice(0, 8)}… from environment SVC_API_KEY`,
  )
  const again = await machine.svc(['login', '--with-token'], { env, stdin: user.key })
  expect(again.stderr).toContain('SVC_API_KEY is set and takes precedence')
  const keys = await machine.svc(['keys', 'list'], { env })
  expect(keys.code).toBe(4)
  expect(keys.stderr).toContain('Unset SVC_API_KEY')
})

test('--url takes precedence over SVC_URL, and SVC_URL over the profile', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const key = { SVC_API_KEY: user.key }
  const from = async (args: string[], env: Record<string, string>) =>
    (await machine.svc(['whoami', ...args], { env })).code
  expect(await from([], { ...key, SVC_URL: '' })).toBe(0)
  expect(await from([], { ...key, SVC_URL: 'http://127.0.0.1:1' })).toBe(1)
  expect(await from(['--url', server.current.url], { ...key, SVC_URL: 'http://127.0.0.1:1' })).toBe(
    0,
  )
})

test('a stored key is sent only to the server that issued it', async () => {
  const { machine } = await machineWithKey(server.current)
  const seen: string[] = []
  using other = Bun.serve({
    port: 0,
    fetch(call) {
      seen.push(JSON.stringify([...call.headers]))
      return Response.json({})
    },
  })
  for (const args of [['whoami'], ['remember', 'x'], ['keys', 'list']]) {
    const result = await machine.svc([...args, '--url', other.url.origin])
    expect(result.code).toBe(4)
    expect(result.stderr).toContain(`svc login --url ${other.url.origin}`)
  }
  expect(seen).toEqual([])
})

test('messages contain no credential, even with --debug', async () => {
  const { user, machine } = await signedInMachine(server.current)
  const { api_key, refresh_token } = stored(machine.credentialsFile)
  const messages: string[] = []
  for (const args of [
    ['whoami'],
    ['keys', 'create', 'x'],
    ['recall', 'x', '--limit', '0'],
    ['logout'],
  ])
    messages.push((await machine.svc([...args, '--debug'])).stderr)
  const options = { env: { SVC_API_KEY: `${user.key}x` } }
  messages.push((await machine.svc(['whoami', '--debug'], options)).stderr)
  messages.push((await machine.svc(['whoami', `--key=${user.key}`])).stderr)
  messages.push((await machine.svc(['whoami', user.key])).stderr)
  expect(messages.join('\n')).toContain('debug: GET /api/me')
  for (const secret of [api_key, refresh_token, user.key])
    expect(messages.join('\n')).not.toContain(secret)
})
