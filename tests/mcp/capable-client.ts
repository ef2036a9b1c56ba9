import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Server } from '../../server/start.ts'
import { getMemory } from '../../shared/contract/index.ts'
import { write } from '../harness/facts.ts'
import { newUser, request, type TestServer, type TestUser } from '../harness/server.ts'
import { args, CURRENT, cleanEnv, clientInfo, command, root } from './client.ts'

export type Answer = {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, string | number>
}
export interface Asked {
  message: string
  requestedSchema: { properties: Record<string, { enum?: string[] }> }
}

export interface Abilities {
  /** The user, who answers questions. Without one the client has no elicitation. */
  answer?: (asked: Asked) => Answer | Promise<Answer>
  /** Hosts may send other values than those of the extension. */
  extensions?: Record<string, { mimeTypes?: string | string[] }>
}

/** The extension for pages of a server. */
export const APPS = {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
}

const capabilitiesOf = ({ answer, extensions }: Abilities) => ({
  ...(answer && { elicitation: { form: {} } }),
  ...(extensions && { extensions }),
})

const stdio = (server: Pick<Server, 'url'>, key: string) => ({
  command,
  args,
  cwd: root,
  stderr: 'ignore' as const,
  env: cleanEnv({ SVC_URL: server.url, SVC_API_KEY: key }),
})

const http = (key: string) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
})

const connection = <C extends { close(): Promise<void> }>(client: C) => ({
  client,
  [Symbol.asyncDispose]: () => client.close(),
})

/** A client of the current revision with more abilities, over stdio or HTTP. */
export const connectCapable = async (
  server: Pick<Server, 'url'>,
  key: string,
  { over, ...abilities }: Abilities & { over: 'stdio' | 'http' },
) => {
  const client = new Client(clientInfo, {
    capabilities: capabilitiesOf(abilities),
    versionNegotiation: { mode: { pin: CURRENT } },
  })
  const { answer } = abilities
  if (answer)
    client.setRequestHandler('elicitation/create', async ({ params }) => answer(params as Asked))
  await client.connect(
    over === 'stdio'
      ? new StdioClientTransport(stdio(server, key))
      : new StreamableHTTPClientTransport(new URL('/api/mcp', server.url), http(key)),
  )
  return connection(client)
}

/** The same with the 1.x client. */
export const connectCapableOlder = async (
  server: Pick<Server, 'url'>,
  key: string,
  { over, ...abilities }: Abilities & { over: 'stdio' | 'http' },
) => {
  const client = new OlderClient(clientInfo, { capabilities: capabilitiesOf(abilities) })
  const { answer } = abilities
  if (answer)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params as Asked))
  await client.connect(
    over === 'stdio'
      ? new OlderTransport(stdio(server, key))
      : // The types of the 1.x client do not compile under exactOptionalPropertyTypes.
        (new OlderHttpTransport(new URL('/api/mcp', server.url), http(key)) as Parameters<
          OlderClient['connect']
        >[0]),
  )
  return connection(client)
}

/** Every combination of transport and client version. */
export const capableWays = [
  ['over HTTP', connectCapable, 'http'],
  ['over stdio', connectCapable, 'stdio'],
  ['over stdio with an older client', connectCapableOlder, 'stdio'],
  ['over HTTP with an older client', connectCapableOlder, 'http'],
] as const

/** A new user with a memory whose facts have been read. */
export const withMemory = async (server: Pick<Server, 'url'>, content: string) => {
  const user = await newUser(server)
  const [memory_id = ''] = await write(user.client, content)
  return { user, memory_id }
}

export const isKept = async ({ client }: TestUser, memory_id: string): Promise<boolean> =>
  client.call(getMemory, { params: { memory_id } }).then(
    () => true,
    () => false,
  )

/** A call as a client with forms sends it, with a state and answers that it chooses. @returns the JSON-RPC response. */
export const postCall = async (
  server: TestServer,
  key: string,
  { name, input, round }: { name: string; input: object; round?: object | undefined },
) => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': CURRENT,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  }
  const { body } = await request(server, 'POST', '/api/mcp', {
    token: key,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': CURRENT,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input, _meta: meta, ...round },
    },
  })
  return body
}
