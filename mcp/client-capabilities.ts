import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** The extension for pages that a client shows (MCP Apps, revision 2026-01-26). */
const APPS = 'io.modelcontextprotocol/ui'
export const APP_MIME_TYPE = 'text/html;profile=mcp-app'

/** The field `_meta.ui` of a tool. */
export interface AppMeta {
  resourceUri?: string
  /** Default: both. */
  visibility?: ('model' | 'app')[]
}

/** The capabilities of a request since revision 2026-07-28; those of the connection before. */
export const capabilitiesOf = (
  { mcpReq }: ServerContext,
  { server }: McpServer,
): ClientCapabilities | undefined => {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {}
  return envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
}

/** Before 2025-11-25 a client with elicitation had forms, and said nothing more. */
export const showsForms = (capabilities: unknown): boolean => {
  const { elicitation } = (capabilities ?? {}) as {
    elicitation?: { form?: unknown; url?: unknown }
  }
  return Boolean(elicitation) && (elicitation?.form !== undefined || !elicitation?.url)
}

/** Whether the client shows pages of this server. A client may declare anything. */
export const supportsApps = (capabilities: unknown): boolean => {
  const { extensions } = (capabilities ?? {}) as { extensions?: Record<string, unknown> }
  const app = extensions?.[APPS] as { mimeTypes?: unknown } | undefined
  return Array.isArray(app?.mimeTypes) && app.mimeTypes.includes(APP_MIME_TYPE)
}
