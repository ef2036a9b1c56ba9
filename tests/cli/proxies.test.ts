import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { newUser, useSharedServer } from '../harness/server.ts'
import { clientInfo } from '../mcp/client.ts'

const server = useSharedServer()
const CLI = resolve(import.meta.dir, '../../cli/main.ts')
const home = mkdtempSync(join(tmpdir(), 'svc-proxies-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** A proxy that keeps what it was asked, and answers as one without a way to the server. */
const startRecorder = () => {
  const seen: string[] = []
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ url }) {
      seen.push(url)
      return new Response('<h1>Bad gateway</h1>', { status: 502 })
    },
  })
  return { seen, url: proxy.url.origin, [Symbol.dispose]: () => void proxy.stop(true) }
}

let key = ''
beforeAll(async () => {
  key = (await newUser(server.current)).key
})

const environment = (env: Record<string, string>) => ({
  HOME: home,
  PATH: '/usr/bin:/bin',
  SVC_API_KEY: key,
  SVC_URL: server.current.url,
  ...env,
})

const svc = async (args: string[], env: Record<string, string>, stdin = '') => {
  const child = Bun.spawn([process.execPath, CLI, ...args], {
    env: environment(env),
    cwd: home,
    stdin: new Blob([stdin]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, stdout, stderr }
}

describe('requests to this machine', () => {
  const prompt = { session_id: 's', cwd: home, hook_event_name: 'UserPromptSubmit', prompt: 'Hi' }
  for (const [variable, command] of [
    ['HTTP_PROXY', ['whoami']],
    ['http_proxy', ['api', 'me']],
    ['ALL_PROXY', ['remember', 'The spare key is in the shed.']],
    ['all_proxy', ['doctor']],
    ['HTTP_PROXY', ['hook', 'prompt', '--client', 'claude-code']],
  ] as const)
    test(`svc ${command[0]} sends the proxy of ${variable} nothing`, async () => {
      using proxy = startRecorder()
      const { code } = await svc([...command], { [variable]: proxy.url }, JSON.stringify(prompt))
      expect([code, proxy.seen]).toEqual([0, []])
    })

  test('a hook that looks up an organization by its name sends the proxy nothing', async () => {
    using proxy = startRecorder()
    const env = { HTTP_PROXY: proxy.url, HOME: mkdtempSync(join(home, 'org-')) }
    expect((await svc(['config', 'set', 'org', 'Work'], env)).code).toBe(0)
    await svc(['hook', 'prompt', '--client', 'claude-code'], env, JSON.stringify(prompt))
    expect(proxy.seen).toEqual([])
  })

  for (const name of ['localhost', '127.0.0.1', '127.0.0.2', '[::ffff:127.0.0.1]', 'svc.localhost'])
    test(`svc whoami sends the proxy nothing for ${name}`, async () => {
      using proxy = startRecorder()
      const url = server.current.url.replace('127.0.0.1', name).replace('localhost', name)
      await svc(['whoami'], { HTTP_PROXY: proxy.url, SVC_URL: url })
      expect(proxy.seen).toEqual([])
    })

  test('svc mcp run sends the proxy nothing', async () => {
    using proxy = startRecorder()
    const client = new Client(clientInfo)
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp', 'run'],
        env: environment({ HTTP_PROXY: proxy.url }),
        cwd: home,
      }),
    )
    const called = await client.callTool({ name: 'recall', arguments: { query: 'key' } })
    await client.close()
    expect([called.isError ?? false, proxy.seen]).toEqual([false, []])
  })
})

describe('a proxy on the way to another machine', () => {
  const url = 'http://svc.example.com:3000'

  test('a proxy that answers in place of the server is named by its variable', async () => {
    using proxy = startRecorder()
    const { code, stderr } = await svc(['whoami'], { HTTP_PROXY: proxy.url, SVC_URL: url })
    expect(code).toBe(1)
    expect(proxy.seen).not.toEqual([])
    expect(stderr).toContain('HTTP_PROXY')
  })

  for (const variable of ['http_proxy', 'HTTP_PROXY'])
    test(`a proxy that does not accept connections is named by ${variable}`, async () => {
      const env = { [variable]: 'http://127.0.0.1:1', SVC_URL: url }
      const failed = await svc(['whoami'], env)
      expect(failed.stderr).toContain(`${url} through the proxy of ${variable}`)
      expect(failed.stderr).toContain(
        `Correct ${variable}, or add the host of the server to NO_PROXY`,
      )
      const doctor = await svc(['doctor'], env)
      expect(doctor.stdout).toContain(`through the proxy of ${variable}`)
      expect(doctor.stdout).toContain('NO_PROXY')
    })

  test('a host of NO_PROXY passes no proxy', async () => {
    using proxy = startRecorder()
    const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'other.example, .example.invalid' }
    const { stderr } = await svc(['whoami'], { ...env, SVC_URL: 'http://svc.example.invalid:3000' })
    expect(proxy.seen).toEqual([])
    expect(stderr).not.toContain('HTTP_PROXY')
  })
})
