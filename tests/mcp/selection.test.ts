import { describe, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { cleanEnv, clientInfo, connectMcp, root, TOOL_NAMES } from './client.ts'

const server = useSharedServer()

const READ_ONLY = ['recall', 'list', 'get', 'status']

const withKey = (key: string, headers: Record<string, string>) => ({
  headers: { authorization: `Bearer ${key}`, ...headers },
})

const overHttp = async (key: string, query: string, headers: Record<string, string> = {}) => {
  const client = new Client(clientInfo)
  const url = new URL(`/api/mcp${query}`, server.current.url)
  const requestInit = withKey(key, headers)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  return client
}

const olderOverHttp = async (key: string, query: string, headers: Record<string, string> = {}) => {
  const client = new OlderClient(clientInfo)
  const url = new URL(`/api/mcp${query}`, server.current.url)
  const transport = new OlderHttpTransport(url, { requestInit: withKey(key, headers) })
  // The types of the 1.x client do not compile under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OlderClient['connect']>[0])
  return client
}

/** `mcp/main.ts` in a process of its own, and `svc mcp run` in this one. */
const overMain = async (options: string[], env: Record<string, string> = {}) => {
  const client = new Client(clientInfo)
  const args = ['mcp/main.ts', ...options]
  const started = { command: process.execPath, args, cwd: root, env: cleanEnv(env) }
  await client.connect(new StdioClientTransport({ ...started, stderr: 'ignore' }))
  return client
}

const overCommand = async (options: string[], env: Record<string, string> = {}) =>
  (await connectMcp(env, options)).client

/** The names of the listed tools; closes the client. */
const namesOf = async (client: Client | OlderClient): Promise<string[]> => {
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name }) => name)
}

describe.each([
  ['the current', overHttp],
  ['an older', olderOverHttp],
] as const)('over HTTP with %s revision', (_, connect) => {
  test('the address chooses the tools, and readonly leaves out those that write', async () => {
    const { key } = await newUser(server.current)
    for (const [query, names] of [
      ['', TOOL_NAMES],
      ['?readonly=false', TOOL_NAMES],
      ['?tools=', TOOL_NAMES],
      ['?tools=list,recall', ['recall', 'list']],
      ['?tools=recall&tools=list', ['recall', 'list']],
      ['?readonly=true', READ_ONLY],
      ['?tools=recall,forget&readonly=true', ['recall']],
    ] as const)
      expect([query, await namesOf(await connect(key, query))]).toEqual([query, [...names]])
  })

  test('headers choose tools, toolsets and read-only, together with the address', async () => {
    const { key } = await newUser(server.current)
    const MEMORY = TOOL_NAMES.filter((name) => name !== 'talk' && name !== 'status')
    for (const [query, headers, names] of [
      ['', { 'x-mcp-tools': 'list, recall' }, ['recall', 'list']],
      ['', { 'x-mcp-toolsets': 'core' }, ['recall', 'remember']],
      ['', { 'x-mcp-toolsets': 'memory' }, MEMORY],
      ['', { 'x-mcp-toolsets': 'all' }, TOOL_NAMES],
      ['', { 'x-mcp-toolsets': 'core', 'x-mcp-tools': 'status' }, ['recall', 'remember', 'status']],
      ['', { 'x-mcp-readonly': 'true' }, READ_ONLY],
      ['?readonly=true', { 'x-mcp-readonly': 'false' }, READ_ONLY],
      ['?tools=core', { 'x-mcp-tools': 'list' }, ['recall', 'remember', 'list']],
      ['?tools=memory', { 'x-mcp-readonly': '1' }, ['recall', 'list', 'get']],
    ] as const) {
      const listed = await namesOf(await connect(key, query, headers))
      expect([query, headers, listed]).toEqual([query, headers, [...names]])
    }
  })

  test('status says that a connection is read-only', async () => {
    const { key } = await newUser(server.current)
    const client = await connect(key, '', { 'x-mcp-readonly': 'true' })
    const status = await client.callTool({ name: 'status', arguments: {} })
    expect(status.structuredContent).toMatchObject({ read_only: true })
    await client.close()
  })

  test('a tool that is not chosen cannot be called', async () => {
    const { key } = await newUser(server.current)
    const client = await connect(key, '?readonly=true')
    const call = client.callTool({ name: 'remember', arguments: { content: 'A heron.' } })
    const outcome = await call.then(
      (result) => (result as { isError?: boolean }).isError,
      () => true,
    )
    expect(outcome).toBe(true)
    const listed = await client.callTool({ name: 'list', arguments: {} })
    expect(listed.structuredContent).toMatchObject({ count: 0 })
    await client.close()
  })

  test('instructions and prompts name chosen tools only', async () => {
    const { key } = await newUser(server.current)
    const client = await connect(key, '?readonly=true')
    expect(client.getInstructions()).toContain('\nRecall before ')
    expect(client.getInstructions()).not.toContain('\nRemember when ')
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['answer_from_memory', 'weekly_review'])
    await client.close()
    const forgetting = await connect(key, '?tools=forget')
    expect(forgetting.getServerCapabilities()).not.toHaveProperty('prompts')
    await forgetting.close()
  })
})

test('a header with an unknown toolset or an invalid switch gets 400', async () => {
  const { key: token } = await newUser(server.current)
  for (const [headers, problem] of [
    [{ 'x-mcp-toolsets': 'cor' }, '"cor" is not a tool; the tools are recall, remember'],
    [{ 'x-mcp-toolsets': 'constructor' }, 'and the toolsets core, memory, all'],
    [{ 'x-mcp-readonly': 'maybe' }, 'readonly must be true or false'],
  ] as const) {
    const { status, body: answer } = await request(server.current, 'POST', '/api/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      token,
      headers: { accept: 'application/json, text/event-stream', ...headers },
    })
    expect([status, answer.detail]).toEqual([400, expect.stringContaining(problem)])
  }
})

test('an address with an unknown tool, an invalid switch or no tool left gets 400', async () => {
  const { key: token } = await newUser(server.current)
  for (const [query, problem] of [
    ['tools=recal', '"recal" is not a tool; the tools are recall, remember'],
    ['readonly=maybe', 'readonly must be true or false'],
    ['tools=remember,forget&readonly=true', 'No tool is left'],
  ]) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { status, body: answer } = await request(server.current, 'POST', `/api/mcp?${query}`, {
      body,
      token,
      headers: { accept: 'application/json, text/event-stream' },
    })
    expect(status).toBe(400)
    expect(answer.detail).toContain(problem)
  }
})

describe.each([
  ['mcp/main.ts', overMain, ['mcp/main.ts']],
  ['svc mcp run', overCommand, ['cli/main.ts', 'mcp', 'run']],
] as const)('%s', (_, connect, args) => {
  test('takes the tools from its options or SVC_MCP_TOOLS', async () => {
    expect(await namesOf(await connect(['--read-only']))).toEqual(READ_ONLY)
    expect(await namesOf(await connect(['--tools', 'list, recall']))).toEqual(['recall', 'list'])
    const env = { SVC_MCP_TOOLS: 'recall,remember' }
    expect(await namesOf(await connect([], env))).toEqual(['recall', 'remember'])
    expect(await namesOf(await connect(['--tools', 'talk'], env))).toEqual(['talk'])
    expect(await namesOf(await connect(['--read-only'], env))).toEqual(['recall'])
    expect(await namesOf(await connect(['--tools', 'core']))).toEqual(['recall', 'remember'])
  })

  test('the process ends with status 2 and names the tools when one is unknown', async () => {
    const child = Bun.spawn([process.execPath, ...args, '--tools', 'recal'], {
      cwd: root,
      env: cleanEnv(),
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    expect(await child.exited).toBe(2)
    expect(await new Response(child.stderr).text()).toContain(
      '"recal" is not a tool; the tools are',
    )
    expect(await new Response(child.stdout).text()).toBe('')
  })
})
