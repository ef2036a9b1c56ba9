import type { GrantAuthentication } from '../../account/access/oauth-server/grants.ts'
import type { Authenticate } from '../../platform/http/caller.ts'
import type { MountRaw, RawHandler } from '../../platform/http/mounts.ts'
import type { HttpContext } from '../../platform/http/route.ts'
import { admit } from './admission.ts'
import { type Dispatch, serverHost } from './host.ts'
import { MCP_METHODS, MCP_PATH } from './path.ts'

interface McpDeps {
  dispatch: Dispatch
  http: HttpContext
  baseUrl: string
  grants: GrantAuthentication
}

/** The MCP server, for API credentials and for access tokens of OAuth clients. */
export const mcpRoutes = (mount: MountRaw, deps: McpDeps): void => {
  const { dispatch, http, baseUrl, grants } = deps
  /** The credentials of the API, and tokens of OAuth clients, which are valid for this endpoint only. */
  const authenticate: Authenticate = {
    ...http.authenticate,
    accessToken: async (token, org) =>
      (await grants.callerOf(token, org)) ?? http.authenticate.accessToken(token, org),
  }
  // Loaded by the first request, so that the start of the server does not wait for the MCP SDK.
  const load = async (): Promise<RawHandler> => {
    const [{ createMcpEndpoint }, { createMcpServer }, { selectedTools }] = await Promise.all([
      import('./endpoint.ts'),
      import('../../../mcp/server.ts'),
      import('./selection.ts'),
    ])
    return createMcpEndpoint({
      http,
      baseUrl,
      async admit(request) {
        const caller = await admit(request, { authenticate, baseUrl })
        const tools = selectedTools(request)
        const build = () => createMcpServer(serverHost(dispatch, baseUrl, caller), tools)
        return { caller, build }
      },
    })
  }
  let endpoint: Promise<RawHandler> | undefined
  for (const method of MCP_METHODS)
    mount({ method, path: MCP_PATH }, async (call) => {
      endpoint ??= load()
      return (await endpoint)(call)
    })
}
