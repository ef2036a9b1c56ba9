import { McpServer, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import packageJson from '../package.json' with { type: 'json' }
import type { ToolHost } from './host.ts'
import { instructionsFor } from './instructions.ts'
import { prompts } from './prompts.ts'
import { serveResources } from './resources.ts'
import { tools as allTools } from './tools/index.ts'
import type { Tool } from './tools/tool.ts'

const CURRENT_REVISION = '2026-07-28'

/** Cache hints for lists that change only with the version, and with what a credential may do. */
const STATIC = { ttlMs: 5 * 60_000, cacheScope: 'private' } as const

export interface McpServerOptions {
  /** Whether changes of resources are published to `subscriptions/listen`. */
  canSubscribe?: boolean
}

/** The MCP server with its tools, resources and prompts, independent of the transport. */
export const createMcpServer = (
  host: ToolHost,
  tools: readonly Tool[] = allTools,
  { canSubscribe = false }: McpServerOptions = {},
): McpServer => {
  const listOptions = { listChanged: false }
  const offered = prompts.filter(({ uses }) =>
    uses.every((used) => tools.some(({ name }) => name === used)),
  )
  const server = new McpServer(
    { name: 'svc', title: 'svc memory', version: packageJson.version },
    {
      // Errors list them. The SDK's list has those before 2026 only.
      supportedProtocolVersions: [CURRENT_REVISION, ...SUPPORTED_PROTOCOL_VERSIONS],
      instructions: instructionsFor(tools),
      capabilities: {
        tools: listOptions,
        resources: { listChanged: canSubscribe, ...(canSubscribe && { subscribe: true }) },
        // Without a prompt the SDK has no method that lists them.
        ...(offered.length > 0 && { prompts: listOptions }),
      },
      cacheHints: {
        'server/discover': STATIC,
        'tools/list': STATIC,
        'prompts/list': STATIC,
        'resources/templates/list': STATIC,
      },
    },
  )
  const isReadOnly = tools.every((tool) => tool.isReadOnly)
  for (const { register } of tools) register(server, host, { isReadOnly })
  serveResources(server, host)
  for (const { register } of offered) register(server, host)
  return server
}
