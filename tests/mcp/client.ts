import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Server } from '../../server/start.ts'

/** The current revision of the protocol. */
export const CURRENT = '2026-07-28'

/** The repository, where `bun mcp/main.ts` is run. */
export const root = join(import.meta.dir, '../..')

/** The MCP server over stdio: of the clone, or of the release of a whole test run. */
export const [command = '', ...args] = process.env.TEST_SVC
  ? [process.env.TEST_SVC, 'mcp', 'run']
  : [process.execPath, 'mcp/main.ts']

export const clientInfo = { name: 'svc-tests', version: '1.0.0' }

/** An environment without the settings and credentials of this machine. */
export const cleanEnv = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  ...env,
})

/** A client of the current protocol revision, connected to its own server process. */
export const connectMcp = async (env: Record<string, string> = {}, options: string[] = []) => {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: CURRENT } } })
  await client.connect(
    new StdioClientTransport({
      command,
      args: [...args, ...options],
      cwd: root,
      env: cleanEnv(env),
      stderr: 'ignore',
    }),
  )
  return {
    client,
    call: (name: string, input: Record<string, unknown>, options = {}) =>
      client.callTool({ name, arguments: input }, options),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The same with the 1.x client, which supports only the older revisions. */
export const connectOlderMcp = async (env: Record<string, string> = {}) => {
  const client = new OlderClient(clientInfo)
  await client.connect(
    new OlderTransport({ command, args, cwd: root, env: cleanEnv(env), stderr: 'ignore' }),
  )
  return {
    client,
    call: (name: string, input: Record<string, unknown>, options = {}) =>
      client.callTool({ name, arguments: input }, undefined, options),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A client of the current revision over HTTP, with a key. */
export const connectHttp = async ({ url }: Pick<Server, 'url'>, key: string, path = '/api/mcp') => {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: CURRENT } } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, url), { requestInit: withKey(key) }),
  )
  return {
    client,
    call: (name: string, input: Record<string, unknown>, options = {}) =>
      client.callTool({ name, arguments: input }, options),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The names of the tools that the MCP endpoint offers a credential. */
export const toolsOf = async (server: Pick<Server, 'url'>, key: string): Promise<string[]> => {
  await using connection = await connectHttp(server, key)
  return (await connection.client.listTools()).tools.map(({ name }) => name)
}

/** The same with the 1.x client. */
export const connectOlderHttp = async ({ url }: Pick<Server, 'url'>, key: string) => {
  const client = new OlderClient(clientInfo)
  const transport = new OlderHttpTransport(new URL('/api/mcp', url), { requestInit: withKey(key) })
  // The types of the 1.x client do not compile under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OlderClient['connect']>[0])
  return {
    client,
    call: (name: string, input: Record<string, unknown>, options = {}) =>
      client.callTool({ name, arguments: input }, undefined, options),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })

const overStdio =
  (connect: typeof connectMcp | typeof connectOlderMcp) =>
  (server: Pick<Server, 'url'>, key: string) =>
    connect({ SVC_URL: server.url, SVC_API_KEY: key })

/** Every combination of transport and client version. */
export const ways = [
  ['stdio', overStdio(connectMcp)],
  ['stdio, an older revision', overStdio(connectOlderMcp)],
  ['HTTP', connectHttp],
  ['HTTP, an older revision', connectOlderHttp],
] as const

/** The names of all tools, in their order. */
export const TOOL_NAMES = [
  'recall',
  'remember',
  'remember_batch',
  'update',
  'forget',
  'restore',
  'list',
  'get',
  'talk',
  'status',
]

/** The text of a tool's result. */
export const textOf = (result: object): string =>
  (result as { content: { text?: string }[] }).content.map(({ text }) => text).join('\n')

/** A server process with raw access to the lines that it writes. */
export const spawnMcp = (env: Record<string, string> = {}) => {
  const child = Bun.spawn([command, ...args], {
    cwd: root,
    env: cleanEnv(env),
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const lines = readLines(child.stdout)
  return {
    child,
    send(...messages: (object | string)[]) {
      for (const message of messages)
        child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
      child.stdin.flush()
    },
    /** The next line of standard output, or undefined at its end. */
    next: async (): Promise<string | undefined> => (await lines.next()).value,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await child.exited
    },
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest) yield rest
}

/** The opening messages of the 2025-06-18 revision. */
export const opening = [
  {
    jsonrpc: '2.0',
    id: 'opening',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
]

export const callMessage = (id: number, name: string, input: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
})

/** An empty directory for credentials, deleted afterwards. */
export const configDirectory = () => {
  const path = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
