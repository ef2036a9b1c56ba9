import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUser, useSharedServer } from '../harness/server.ts'
import { machineWithKey, newMachine } from './svc.ts'

const server = useSharedServer()

interface Found {
  ok: boolean
  checks: { name: string; state: string; message: string; next?: string }[]
}

const found = (stdout: string, name: string) => {
  const { checks } = JSON.parse(stdout) as Found
  return checks.filter((check) => check.name === name)
}

test('doctor exits with 0 and lists each part if all checks pass', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const result = await machine.svc(['doctor'])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(result.stdout).toMatch(
    new RegExp(`^ok {4}server {7}${server.current.url} responds in `, 'm'),
  )
  expect(result.stdout).toContain('ok    version      ')
  expect(result.stdout).toContain('ok    part         database is ok')
  expect(result.stdout).toContain('ok    clock        matches the clock of the server')
  expect(result.stdout).toContain(`ok    credential   ${user.email}, from profile default`)
  // The verification link was not opened.
  expect(result.stdout).toContain('warn  email ')
  expect(result.stdout).not.toContain('FAIL')
})

test('an unreachable server and one that is not svc fail with a hint', async () => {
  const { machine } = await machineWithKey(server.current)
  const down = await machine.svc(['doctor', '--json', '--url', 'http://127.0.0.1:1'])
  expect(down.code).toBe(1)
  expect(JSON.parse(down.stdout).ok).toBe(false)
  expect(found(down.stdout, 'server')[0]).toMatchObject({ state: 'failed' })
  expect(found(down.stdout, 'server')[0]?.next).toContain('svc serve')
  using other = Bun.serve({ port: 0, fetch: () => new Response('<h1>Hello</h1>') })
  const result = await machine.svc(['doctor', '--url', other.url.origin])
  expect(result.code).toBe(1)
  expect(result.stdout).toContain('is not svc')
  using another = Bun.serve({ port: 0, fetch: () => Response.json({ status: 'UP' }) })
  const like = await machine.svc(['doctor', '--url', another.url.origin])
  expect(like.code).toBe(1)
  expect(like.stdout).toContain('but is not svc')
})

test('doctor --server checks only the server, without a sign-in', async () => {
  const { stdout, stderr, code } = await newMachine(server.current.url).svc([
    'doctor',
    '--server',
    '--json',
  ])
  expect([code, stderr]).toEqual([0, ''])
  const names = (JSON.parse(stdout) as Found).checks.map(({ name }) => name)
  expect([...new Set(names)]).toEqual(['server', 'version', 'part', 'clock'])
})

test('doctor reports what the operator can do about a part that is down', async () => {
  const models = { state: 'down', latency_ms: null, action: 'Fix a provider.' }
  const detail = { status: 'degraded', version: '0.1.0', uptime_seconds: 1, parts: { models } }
  using broken = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      url.endsWith('/detail')
        ? Response.json({ detail }, { status: 503 })
        : Response.json({ status: 'ok' }),
  })
  const { stdout, code } = await newMachine(broken.url.origin).svc(['doctor', '--server'])
  expect(code).toBe(1)
  expect(stdout).toContain('FAIL  part         models is down\n                   Fix a provider.')
})

test('a 502 of a proxy is not reported as another service', async () => {
  using proxy = Bun.serve({ port: 0, fetch: () => new Response('Bad gateway', { status: 502 }) })
  const { stdout } = await newMachine(proxy.url.origin).svc(['doctor', '--json'])
  expect(found(stdout, 'server')[0]).toMatchObject({
    message: `${proxy.url.origin} returns 502`,
    next: 'Check the log of the server, or of the proxy in front of it.',
  })
})

test('a missing sign-in and a rejected key fail the credential check', async () => {
  const machine = newMachine(server.current.url)
  const none = await machine.svc(['doctor'])
  expect(none.code).toBe(1)
  expect(none.stdout).toContain('FAIL  credential   Not signed in')
  expect(none.stdout).toContain(`Run: svc login --url ${server.current.url}`)
  const { key } = await newUser(server.current)
  const refused = await machine.svc(['doctor', '--json'], { env: { SVC_API_KEY: `${key}x` } })
  expect(found(refused.stdout, 'credential')[0]).toMatchObject({
    state: 'failed',
    next: expect.stringContaining('Set SVC_API_KEY to a valid key'),
  })
  expect(refused.stdout).not.toContain(key)
})

test('damaged files and files with open permissions are reported', async () => {
  const { machine } = await machineWithKey(server.current)
  chmodSync(machine.configDir, 0o755)
  chmodSync(machine.credentialsFile, 0o644)
  const open = await machine.svc(['doctor', '--json'])
  expect(open.code).toBe(0)
  expect(found(open.stdout, 'directory')[0]).toMatchObject({ state: 'warning' })
  writeFileSync(machine.credentialsFile, '{')
  const damaged = await machine.svc(['doctor', '--json'])
  expect(damaged.code).toBe(1)
  expect(found(damaged.stdout, 'credentials')[0]?.message).toContain('is damaged')
})

test('readable credentials are reported before svc repairs their mode', async () => {
  const { machine } = await machineWithKey(server.current)
  const look = async () => {
    const { stdout } = await machine.svc(['doctor', '--json'])
    return found(stdout, 'credentials')[0]
  }
  chmodSync(machine.credentialsFile, 0o644)
  expect(await look()).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('was readable by other users'),
  })
  expect(await look()).toMatchObject({ state: 'ok' })
})

test('a clock difference and another server version are warnings', async () => {
  using other = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      Response.json(
        url.endsWith('/detail')
          ? {
              status: 'degraded',
              version: '99.0.0',
              uptime_seconds: 1,
              parts: { database: { state: 'down', latency_ms: null, note: 'gone' } },
            }
          : { status: 'ok' },
        { headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT' } },
      ),
  })
  const result = await newMachine(other.url.origin).svc(['doctor', '--json'])
  expect(result.code).toBe(1)
  expect(found(result.stdout, 'clock')[0]).toMatchObject({ state: 'warning' })
  expect(found(result.stdout, 'version')[0]?.message).toContain('99.0.0')
  expect(found(result.stdout, 'part')[0]).toMatchObject({
    state: 'failed',
    message: 'database is down: gone',
  })
})

test('installed assistants are listed, with and without svc and with a missing command', async () => {
  const { machine } = await machineWithKey(server.current)
  const home = machine.env.HOME ?? ''
  mkdirSync(join(home, '.cursor'))
  writeFileSync(join(home, '.cursor/mcp.json'), '{}')
  const report = async () =>
    found((await machine.svc(['doctor', '--json'])).stdout, 'mcp').map(({ message }) => message)
  expect(await report()).toEqual([
    'Cursor: svc is not configured. Run: svc mcp install --client cursor',
  ])
  await machine.svc(['mcp', 'install', '--client', 'cursor'])
  expect(await report()).toEqual(['Cursor: svc is configured'])
  writeFileSync(
    join(home, '.cursor/mcp.json'),
    '{ "mcpServers": { "svc": { "command": "/no/such/svc" } } }',
  )
  expect(await report()).toEqual(['Cursor: the command /no/such/svc does not exist'])
})
