import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { unzipSync } from 'fflate'
import { registryEntry } from '../../scripts/release/registry-entry.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { cleanEnv, clientInfo, configDirectory, root, TOOL_NAMES, textOf } from './client.ts'

const server = useSharedServer()

const build = (to: string, url: string) => {
  const program = [process.execPath, 'scripts/release.ts', 'packages', '--to', to, '--url', url]
  return Bun.spawn(program, { cwd: root, env: cleanEnv(), stdout: 'pipe', stderr: 'pipe' })
}

const directory = configDirectory()
let printed = ''
beforeAll(async () => {
  const { exited, stdout } = build(directory.path, 'https://svc.example.com/')
  printed = await stdout.text()
  expect(await exited).toBe(0)
}, 120_000)
afterAll(() => directory[Symbol.dispose]())

test('the bundle starts the server with the settings of its user, from any folder', async () => {
  expect(printed).toContain(`${join(directory.path, 'svc.mcpb')}\n`)
  for (const [name, content] of Object.entries(
    unzipSync(readFileSync(join(directory.path, 'svc.mcpb'))),
  )) {
    mkdirSync(dirname(join(directory.path, name)), { recursive: true })
    writeFileSync(join(directory.path, name), content)
  }
  const manifest = JSON.parse(readFileSync(join(directory.path, 'manifest.json'), 'utf8'))
  // PNG, 512 pixels wide and high, as MCPB asks for.
  const icon = readFileSync(join(directory.path, manifest.icon))
  expect(icon.subarray(1, 4).toString()).toBe('PNG')
  expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([512, 512])
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
  // The page was bundled: Node cannot build it.
  const { contents } = await client.readResource({ uri: 'ui://svc/memories.html' })
  expect(JSON.stringify(contents)).toContain('ui/initialize')
  await client.close()
})

const Icon = Type.Object(
  {
    src: Type.String({ pattern: '^https://', maxLength: 255 }),
    mimeType: Type.Union(
      ['png', 'jpeg', 'svg+xml', 'webp'].map((type) => Type.Literal(`image/${type}`)),
    ),
    sizes: Type.Array(Type.String({ pattern: '^([0-9]+x[0-9]+|any)$' })),
  },
  { additionalProperties: false },
)

/** The rules of the registry for a server without packages (its schema of 2025-12-11). */
const RegistryEntry = Type.Object(
  {
    $schema: Type.Literal(
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ),
    name: Type.String({
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
      minLength: 3,
      maxLength: 200,
    }),
    title: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    // A range is refused.
    version: Type.String({ pattern: '^[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?$' }),
    websiteUrl: Type.String({ pattern: '^https://' }),
    icons: Type.Array(Icon, { minItems: 1 }),
    remotes: Type.Array(
      Type.Object(
        {
          type: Type.Literal('streamable-http'),
          url: Type.String({ pattern: '^https://[^ ]+$' }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1 },
    ),
  },
  { additionalProperties: false },
)

test('the registry entry of a server keeps the rules of the registry, with its address and the version of svc', async () => {
  const entry = JSON.parse(readFileSync(join(directory.path, 'server.json'), 'utf8'))
  expect([...Value.Errors(RegistryEntry, entry)]).toEqual([])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(entry).toMatchObject({
    name: 'com.example.svc/svc',
    version,
    icons: [{ src: 'https://svc.example.com/favicon.svg' }],
    remotes: [{ type: 'streamable-http', url: 'https://svc.example.com/api/mcp' }],
  })
})

test('an address that the registry refuses has no entry', async () => {
  using empty = configDirectory()
  const { exited, stderr } = build(empty.path, 'http://svc.example.com')
  expect(await stderr.text()).toContain('--url must be an https address')
  expect(await exited).toBe(1)
  expect(readdirSync(empty.path)).toEqual([])
  for (const url of ['https://localhost:3000', 'https://192.0.2.7'])
    expect(() => registryEntry(url)).toThrow('--url must be an https address')
})
