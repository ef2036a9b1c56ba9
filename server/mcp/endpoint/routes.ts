import type { AuthorizationService } from '../../account/authorization/service.ts'
import type { Authenticate } from '../../platform/http/caller.ts'
import type { MountRaw, RawHandler } from '../../platform/http/raw.ts'
import type { HttpContext } from '../../platform/http/route.ts'
import { admit } from './access.ts'
import { type Dispatch, serverHost } from './host.ts'
import { MCP_METHODS, MCP_PATH } from './path.ts'

interface Surroundings {
  dispatch: Dispatch
  http: HttpContext
  baseUrl: string
  authorization: Pick<AuthorizationService, 'callerOf'>
}

/** The tools of the MCP server, for whoever has a credential of the API or was let in by OAuth. */
export const mcpRoutes = (mount: MountRaw, surroundings: Surroundings): void => {
  const { dispatch, http, baseUrl, authorization } = surroundings
  /** What the rest of the API takes, and the tokens that are good here alone. */
  const authenticate: Authenticate = {
    ...http.authenticate,
    accessToken: async (token, org) =>
      (await authorization.callerOf(token)) ?? http.authenticate.accessToken(token, org),
  }
  // Loaded when first asked for: every start would else wait for the protocol's code.
  const load = async (): Promise<RawHandler> => {
    const [{ createServing }, { createMcpServer }] = await Promise.all([
      import('./serve.ts'),
      import('../../../mcp/server.ts'),
    ])
    return createServing({
      http,
      baseUrl,
      admit: (request) => admit(request, { authenticate, baseUrl }),
      build: (caller) => createMcpServer(serverHost(dispatch, baseUrl, caller)),
    })
  }
  let serving: Promise<RawHandler> | undefined
  for (const method of MCP_METHODS)
    mount({ method, path: MCP_PATH }, async (call) => {
      serving ??= load()
      return (await serving)(call)
    })
}
