import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { newUser, useSharedServer } from '../harness/server.ts'
import { cleanEnv, clientInfo, connectMcp, root, textOf } from './client.ts'

const server = useSharedServer()

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('docs/how-to/assistants.md').replaceAll('/path/to/svc', root)
const reference = read('docs/reference/mcp.md')

interface ServerEntry {
  command: string
  args: string[]
  env?: Record<string, string>
}

/** The stdio configurations in the guide. */
const configurations = [...guide.matchAll(/```json\n(.*?)```/gs)]
  .map(([, json]): ServerEntry | undefined => JSON.parse(json ?? '').mcpServers?.svc)
  .filter((entry) => entry?.command !== undefined) as ServerEntry[]

test('the configurations in the guide start the server from any folder', async () => {
  const { key } = await newUser(server.current)
  const real: Record<string, string> = { SVC_URL: server.current.url, SVC_API_KEY: key }
  expect(configurations).toHaveLength(2)
  for (const { command, args, env = {} } of configurations) {
    const named = Object.keys(env).map((name) => [name, real[name] ?? ''])
    const client = new Client(clientInfo)
    const transport = { command, args, cwd: '/', env: cleanEnv(Object.fromEntries(named)) }
    await client.connect(new StdioClientTransport({ ...transport, stderr: 'ignore' }))
    const result = await client.callTool({ name: 'recall', arguments: { query: 'tea' } })
    await client.close()
    expect(textOf(result)).toContain(named.length ? 'No memories found' : 'No API key')
  }
})

test('the reference names every tool with all its input fields', async () => {
  await using mcp = await connectMcp()
  const { tools } = await mcp.client.listTools()
  for (const { name, inputSchema } of tools) {
    const row = reference.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
    const named = [...(row?.split('|')[2]?.matchAll(/`(\w+)`/g) ?? [])].map(([, field]) => field)
    expect(named.sort()).toEqual(Object.keys(inputSchema.properties ?? {}).sort())
  }
})
