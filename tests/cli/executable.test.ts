import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import manifest from '../../package.json'
import { newUser, useSharedServer } from '../harness/server.ts'
import { clientInfo, textOf } from '../mcp/client.ts'

const server = useSharedServer()
const dir = mkdtempSync(join(tmpdir(), 'svc-executable-'))
const svc = join(dir, 'svc')

beforeAll(async () => {
  const script = resolve(import.meta.dir, '../../scripts/build.ts')
  const child = Bun.spawn([process.execPath, script, '--outfile', svc], { stdout: 'ignore' })
  if ((await child.exited) !== 0) throw new Error('it was not built')
}, 60_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Only the executable: no Bun, no checkout, and an unrelated current folder. */
const run = async (args: string[], env: Record<string, string> = {}, stdin = '') => {
  const child = Bun.spawn([svc, ...args], {
    env: { HOME: dir, PATH: '/usr/bin:/bin', SVC_URL: server.current.url, ...env },
    cwd: dir,
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

test('the executable signs in, remembers and recalls', async () => {
  const { key } = await newUser(server.current)
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  expect((await run(['login', '--with-token'], {}, key)).code).toBe(0)
  expect((await run(['remember', 'The spare key is in the shed.'])).code).toBe(0)
  const found = await run(['recall', 'Where is the spare key?'])
  expect(found).toMatchObject({ code: 0, stderr: '' })
  expect(found.stdout).toStartWith('The spare key is in the shed.\n')
  const wrong = await run(['recal', 'x'])
  expect(wrong).toMatchObject({ code: 2, stdout: '' })
  expect(wrong.stderr).toContain('Did you mean recall?')
})

test('an installed assistant starts the executable', async () => {
  const { key } = await newUser(server.current)
  const installed = await run(['mcp', 'install', '--client', 'cursor', '--json'])
  const { entry } = JSON.parse(installed.stdout)
  expect(entry.command).toBe(svc)
  const mcp = new Client(clientInfo)
  const env = { HOME: dir, PATH: '/usr/bin:/bin', SVC_API_KEY: key }
  await mcp.connect(new StdioClientTransport({ ...entry, env, cwd: '/', stderr: 'ignore' }))
  const result = await mcp.callTool({ name: 'recall', arguments: { query: 'tea' } })
  await mcp.close()
  expect(textOf(result)).toContain('No memories found')
})

test('the executable without the other files of a release reports that svc serve needs them', async () => {
  expect(await run(['serve'])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`${join(dir, 'lib')} is missing; unpack the whole release`),
  })
})

test('files in the current folder do not change its settings', async () => {
  await Bun.write(join(dir, '.env'), 'SVC_URL=http://127.0.0.1:1\nSVC_API_KEY=svc_x\n')
  const { key } = await newUser(server.current)
  const result = await run(['whoami', '--json'], { SVC_URL: server.current.url, SVC_API_KEY: key })
  expect(result.code).toBe(0)
  const { SVC_URL: _, ...listed } = JSON.parse(
    (await run(['config', 'list', '--json'], { SVC_URL: '' })).stdout,
  )
  expect(listed.url.value).not.toBe('http://127.0.0.1:1')
})

test('the executable prints completions', async () => {
  const { stdout } = await run(['completion', 'bash'])
  expect(stdout).toContain(`${svc} __complete`)
  expect((await run(['__complete', '--', 'rec'])).stdout).toStartWith('recall\t')
})
