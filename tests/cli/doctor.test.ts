import { expect, test } from 'bun:test'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newUser, useServer } from '../harness/server.ts'
import { machineWithKey, newMachine } from './svc.ts'

const server = useServer()

interface Found {
  ok: boolean
  checks: { name: string; state: string; message: string; next?: string }[]
}

const found = (stdout: string, name: string) => {
  const { checks } = JSON.parse(stdout) as Found
  return checks.filter((check) => check.name === name)
}

test('where all is well, doctor says so of each part and ends with 0', async () => {
  const { user, machine } = await machineWithKey(server.current)
  const ended = await machine.svc(['doctor'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(
    new RegExp(`^ok {4}server {7}${server.current.url} answers in `, 'm'),
  )
  expect(ended.stdout).toContain('ok    version      ')
  expect(ended.stdout).toContain('ok    part         database is ok')
  expect(ended.stdout).toContain("ok    clock        agrees with the server's")
  expect(ended.stdout).toContain(`ok    credential   ${user.email}, by profile default`)
  // Nobody has opened the link that was mailed.
  expect(ended.stdout).toContain('warn  email ')
  expect(ended.stdout).not.toContain('FAIL')
})

test('a server that is down, or is not svc, is found, and what to do is said', async () => {
  const { machine } = await machineWithKey(server.current)
  const down = await machine.svc(['doctor', '--json', '--url', 'http://127.0.0.1:1'])
  expect(down.code).toBe(1)
  expect(JSON.parse(down.stdout).ok).toBe(false)
  expect(found(down.stdout, 'server')[0]).toMatchObject({ state: 'failed' })
  expect(found(down.stdout, 'server')[0]?.next).toContain('npm start')
  using other = Bun.serve({ port: 0, fetch: () => new Response('<h1>Hello</h1>') })
  const stranger = await machine.svc(['doctor', '--url', other.url.origin])
  expect(stranger.code).toBe(1)
  expect(stranger.stdout).toContain('is not svc')
  using another = Bun.serve({ port: 0, fetch: () => Response.json({ status: 'UP' }) })
  const like = await machine.svc(['doctor', '--url', another.url.origin])
  expect(like.code).toBe(1)
  expect(like.stdout).toContain('but not as svc does')
})

test('a proxy whose server is down is not taken for a stranger', async () => {
  using proxy = Bun.serve({ port: 0, fetch: () => new Response('Bad gateway', { status: 502 }) })
  const { stdout } = await newMachine(proxy.url.origin).svc(['doctor', '--json'])
  expect(found(stdout, 'server')[0]).toMatchObject({
    message: `${proxy.url.origin} answers 502`,
    next: 'Its log says why, or that of the proxy before it.',
  })
})

test('no sign-in, and a key that is refused, are found', async () => {
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

test('files that are damaged or open to others are found', async () => {
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

test('a clock that is off and a server of another version are found', async () => {
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
  const ended = await newMachine(other.url.origin).svc(['doctor', '--json'])
  expect(ended.code).toBe(1)
  expect(found(ended.stdout, 'clock')[0]).toMatchObject({ state: 'warning' })
  expect(found(ended.stdout, 'version')[0]?.message).toContain('99.0.0')
  expect(found(ended.stdout, 'part')[0]).toMatchObject({
    state: 'failed',
    message: 'database is down: gone',
  })
})

test('assistants that are here are found, with svc or without, and what they would start', async () => {
  const { machine } = await machineWithKey(server.current)
  const home = machine.env.HOME ?? ''
  mkdirSync(join(home, '.cursor'))
  writeFileSync(join(home, '.cursor/mcp.json'), '{}')
  const told = async () =>
    found((await machine.svc(['doctor', '--json'])).stdout, 'mcp').map(({ message }) => message)
  expect(await told()).toEqual(['Cursor does not know svc. Run: svc mcp install --client cursor'])
  await machine.svc(['mcp', 'install', '--client', 'cursor'])
  expect(await told()).toEqual(['Cursor knows svc'])
  writeFileSync(
    join(home, '.cursor/mcp.json'),
    '{ "mcpServers": { "svc": { "command": "/no/such/svc" } } }',
  )
  expect(await told()).toEqual(['Cursor would start /no/such/svc, which is not there'])
})
