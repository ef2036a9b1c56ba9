import { expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { unzipSync } from 'fflate'
import { newUser, useServer } from '../harness/server.ts'
import { cleanEnv, clientInfo, configDirectory, root, TOOL_NAMES, textOf } from './client.ts'

const server = useServer()

const build = async (...args: string[]) => {
  const child = Bun.spawn([process.execPath, 'scripts/mcp-packages.ts', ...args], {
    cwd: root,
    env: cleanEnv(),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  expect(await child.exited).toBe(0)
  return new Response(child.stdout).text()
}

test('the bundle starts the server with the settings of its user, from any folder', async () => {
  using directory = configDirectory()
  expect(await build('--outdir', directory.path)).toBe(`${join(directory.path, 'svc.mcpb')}\n`)
  for (const [name, content] of Object.entries(
    unzipSync(readFileSync(join(directory.path, 'svc.mcpb'))),
  )) {
    mkdirSync(dirname(join(directory.path, name)), { recursive: true })
    writeFileSync(join(directory.path, name), content)
  }
  const manifest = JSON.parse(readFileSync(join(directory.path, 'manifest.json'), 'utf8'))
  const { key } = await newUser(server.current)
  const settings: Record<string, string> = {
    __dirname: directory.path,
    'user_config.url': server.current.url,
    'user_config.api_key': key,
  }
  /** Replaces the variables, as a client does. */
  const fill = (text: string) => text.replace(/\$\{([\w.]+)\}/g, (_, name) => settings[name] ?? '')
  const { args, env } = manifest.server.mcp_config as {
    args: string[]
    env: Record<string, string>
  }
  const filled = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text)]))
  expect(manifest.server.mcp_config.command).toBe('node')
  const client = new Client(clientInfo)
  await client.connect(
    new StdioClientTransport({
      // Desktop clients contain Node. This machine may have Bun only.
      command: Bun.which('node') ?? process.execPath,
      args: args.map(fill),
      cwd: '/',
      env: cleanEnv(filled),
      stderr: 'ignore',
    }),
  )
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
  const result = await client.callTool({ name: 'recall', arguments: { query: 'tea' } })
  expect(textOf(result)).toBe('No memories found.')
  await client.close()
})

test('the registry entry of a server has its address, and a name in its domain', async () => {
  using directory = configDirectory()
  await build('--outdir', directory.path, '--url', 'https://svc.example.com/')
  const entry = JSON.parse(readFileSync(join(directory.path, 'server.json'), 'utf8'))
  expect(entry).toMatchObject({
    name: 'com.example.svc/svc',
    remotes: [{ type: 'streamable-http', url: 'https://svc.example.com/api/mcp' }],
  })
  expect(entry.description.length).toBeLessThanOrEqual(100)
})
