import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Server } from '../../server/start.ts'
import { InProcessTransport, startMcp } from './in-process.ts'
import { readLines } from './lines.ts'

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

/** Runs `svc mcp run` in this process, with raw access to its lines. */
export const openMcp = (env: Record<string, string> = {}) =>
  startMcp([], { env: cleanEnv(env), folder: root })

const transportTo = (env: Record<string, string> = {}, options: string[] = []) =>
  new InProcessTransport(options, { env: cleanEnv(env), folder: root })

/** A client of the current protocol revision over stdio, connected to `svc mcp run` in this process. */
export const connectMcp = (env?: Record<string, string>, options?: string[]) =>
  connectCurrent(transportTo(env, options))

/** The same with a server process. */
export const connectMcpProcess = (env: Record<string, string> = {}) =>
  connectCurrent(
    new StdioClientTransport({ command, args, cwd: root, env: cleanEnv(env), stderr: 'ignore' }),
  )

const connectCurrent = async (transport: Transport) => {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: CURRENT } } })
  await client.connect(transport)
  return {
    client,
    call: (name: string, input: Record<string, unknown>, options = {}) =>
      client.callTool({ name, arguments: input }, options),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** The same with the 1.x client, which supports only the older revisions. */
export const connectOlderMcp = (env?: Record<string, string>) => connectOlder(transportTo(env))

/** The same with a server process. */
export const connectOlderMcpProcess = (env: Record<string, string> = {}) =>
  connectOlder(
    new OlderTransport({ command, args, cwd: root, env: cleanEnv(env), stderr: 'ignore' }),
  )

const connectOlder = async (transport: object) => {
  const client = new OlderClient(clientInfo)
  // The types of the 1.x client do not compile under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<OlderClient['connect']>[0])
  return {
    client,
    call: (name: string, input: Record<string, unknown>, options = {}) =>
      client.callTool({ name, arguments: input }, undefined, options),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** A client of the current revision over HTTP, with a key. */
export const connectHttp = ({ url }: Pick<Server, 'url'>, key: string, path = '/api/mcp') =>
  connectCurrent(
    new StreamableHTTPClientTransport(new URL(path, url), { requestInit: withKey(key) }),
  )

/** The names of the tools that the MCP endpoint offers a credential. */
export const toolsOf = async (server: Pick<Server, 'url'>, key: string): Promise<string[]> => {
  await using connection = await connectHttp(server, key)
  return (await connection.client.listTools()).tools.map(({ name }) => name)
}

/** The same with the 1.x client. */
export const connectOlderHttp = ({ url }: Pick<Server, 'url'>, key: string) =>
  connectOlder(new OlderHttpTransport(new URL('/api/mcp', url), { requestInit: withKey(key) }))

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
