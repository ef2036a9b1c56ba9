import { randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import packageJson from '../package.json' with { type: 'json' }
import { serveApp } from './app/resource.ts'
import { type AwaitAnswer, askingBy } from './asking.ts'
import { capabilitiesOf, supportsApps } from './client-capabilities.ts'
import { serveCompletion } from './completion.ts'
import type { ToolHost } from './host.ts'
import { serverIcons } from './icons.ts'
import { instructionsFor } from './instructions.ts'
import { prompts } from './prompts.ts'
import { serveResources } from './resources.ts'
import { tools as allTools, appTools } from './tools/index.ts'
import type { StateCodec } from './tools/person.ts'
import type { Tool } from './tools/tool.ts'

const CURRENT_REVISION = '2026-07-28'

/** Cache hints for lists that change only with the version, and with what a credential may do. */
const STATIC = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const

export interface McpServerOptions {
  /** Whether changes of resources are published to subscribers. */
  canSubscribe?: boolean
  /** Whether those of their list are, too. Default: as `canSubscribe`. */
  hasListChanged?: boolean
  /** The address of svc, if the server serves icons there. Default: icons are in the lists. */
  iconsFrom?: string | undefined
  /** Whether a client of an older revision announced MCP Apps when it connected over HTTP. */
  hasApps?: boolean
  /** Waits for the response of such a client to a request. Without it the client is not asked. */
  awaitAnswer?: AwaitAnswer | undefined
  /** Seals the state of a question. Default: for this process and its one user. */
  codec?: StateCodec
}

/** @param bind the caller that a state belongs to. */
export const createStateCodec = (key: Uint8Array, bind: () => string): StateCodec =>
  createRequestStateCodec({ key, bind })

/** A process over stdio has one user, and serves every round of a call. */
const ofProcess = createStateCodec(randomBytes(32), () => '')

/** The MCP server with its tools, resources and prompts, independent of the transport. */
export const createMcpServer = (
  host: ToolHost,
  tools: readonly Tool[] = allTools,
  {
    canSubscribe = false,
    hasListChanged = canSubscribe,
    iconsFrom,
    hasApps = false,
    awaitAnswer,
    codec = ofProcess,
  }: McpServerOptions = {},
): McpServer => {
  const listOptions = { listChanged: false }
  const offered = prompts.filter(({ uses }) =>
    uses.every((used) => tools.some(({ name }) => name === used)),
  )
  const server = new McpServer(
    {
      name: 'svc',
      title: 'svc memory',
      version: packageJson.version,
      icons: serverIcons(iconsFrom),
    },
    {
      // Errors list them. The SDK's list has those before 2026 only.
      supportedProtocolVersions: [CURRENT_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      instructions: instructionsFor(tools),
      capabilities: {
        tools: listOptions,
        resources: { listChanged: hasListChanged, ...(canSubscribe && { subscribe: true }) },
        completions: {},
        // Without a prompt the SDK has no method that lists them.
        ...(offered.length > 0 && { prompts: listOptions }),
      },
      cacheHints: {
        'server/discover': STATIC,
        'tools/list': STATIC,
        'prompts/list': STATIC,
        'resources/templates/list': STATIC,
      },
      requestState: { verify: codec.verify },
    },
  )
  serveTools(server, host, tools, { iconsFrom, hasApps, awaitAnswer, codec })
  serveResources(server, host)
  for (const { register } of offered) register(server, host)
  serveCompletion(
    server,
    host,
    offered.map(({ name }) => name),
  )
  return server
}

type ToolServing = Required<Pick<McpServerOptions, 'hasApps' | 'codec'>> & {
  iconsFrom: string | undefined
  awaitAnswer: AwaitAnswer | undefined
}

const serveTools = (
  server: McpServer,
  host: ToolHost,
  tools: readonly Tool[],
  { iconsFrom, hasApps, awaitAnswer, codec }: ToolServing,
): void => {
  const isReadOnly = tools.every((tool) => tool.isReadOnly)
  // The page of a recall changes memories only where the tools of the connection do. A talk is a conversation.
  const hasApp = tools.some(({ name }) => name === 'recall')
  const writes = tools.some((tool) => !tool.isReadOnly && tool.name !== 'talk')
  const forApps = hasApp && writes ? appTools : []
  const askClient = awaitAnswer && askingBy(server.server, awaitAnswer)
  for (const { register } of [...tools, ...forApps])
    register(server, host, { isReadOnly, hasApps, askClient, codec })
  if (hasApp)
    serveApp(
      server,
      [...tools, ...forApps].map(({ name }) => name),
    )
  const iconsAt = iconsFrom && `${iconsFrom}/api/mcp/icons`
  // The SDK lists the same tools to every client.
  server.server.setRequestHandler('tools/list', (_, context) => {
    const client = { hasApps: hasApps || supportsApps(capabilitiesOf(context, server)), iconsAt }
    const listed = client.hasApps ? [...tools, ...forApps] : tools
    return { tools: listed.map(({ define }) => define(client)) }
  })
}
