import { adviseOnFailure, type CallOptions, ToolCallError, type ToolHost } from '../../mcp/host.ts'
import { ApiFailure, type Client, createClient } from '../../shared/client.ts'
import { LOCKDOWN_TRUST, MCP_CHANNEL } from '../../shared/contract/common.ts'
import type { GrantAuthentication } from '../account/access/oauth-server/grants.ts'
import { type Authenticate, type Caller, internalRequest } from '../platform/http/caller.ts'
import type { HttpContext } from '../platform/http/context.ts'
import { commonError } from '../platform/http/error.ts'
import { checkWorkspace } from '../platform/http/guard.ts'
import type { MountRaw, RawHandler } from '../platform/http/mounts.ts'
import type { DerivedKeys } from '../platform/secrets/derived-keys.ts'
import { admit, MCP_METHODS, MCP_PATH, mcpError } from './admission.ts'
import type { ClientAnswers } from './answers.ts'

interface McpDeps {
  dispatch: Dispatch
  http: HttpContext
  baseUrl: string
  grants: GrantAuthentication
  answers: ClientAnswers
  /** Seal the state of a question to a user. */
  stateKeys: DerivedKeys
}

/** The MCP server, for API credentials and for access tokens of OAuth clients. */
export const mcpRoutes = (mount: MountRaw, deps: McpDeps): void => {
  const { dispatch, http, baseUrl, grants, answers, stateKeys } = deps
  /** The credentials of the API, and tokens of OAuth clients, which are valid for this endpoint only. */
  const authenticateAt = (address: string): Authenticate => ({
    ...http.authenticate,
    accessToken: async (token, org) => {
      const caller = await grants.callerOf(token, org, () => address)
      const other = caller ?? (await http.authenticate.accessToken(token, org))
      // The token of an app is for the API.
      if (other.isApp) throw commonError('bad_credentials')
      return other
    },
  })
  // Loaded by the first request, so that the start of the server does not wait for the MCP SDK.
  const load = async (): Promise<RawHandler> => {
    const [
      { createMcpEndpoint, isInLockdown, selectedTools },
      { createMcpServer },
      { stateCodec },
    ] = await Promise.all([
      import('./endpoint.ts'),
      import('../../mcp/server.ts'),
      import('./state-codec.ts'),
    ])
    return createMcpEndpoint({
      answers,
      http,
      baseUrl,
      async admit({ request, client }) {
        const settings = { authenticate: authenticateAt(client.ip), baseUrl }
        const isLockedDown = isInLockdown(request)
        const findCaller = async (): Promise<Caller> => ({
          ...(await admit({ request, client }, settings)),
          ...(isLockedDown && { minTrust: LOCKDOWN_TRUST }),
        })
        const caller = await findCaller()
        const tools = selectedTools(request, caller)
        let current = caller
        const host = serverHost(dispatch, baseUrl, () => current)
        const fixed = { iconsFrom: baseUrl, codec: stateCodec(stateKeys, caller) }
        return {
          caller,
          host,
          async renew() {
            const now = await findCaller()
            checkWorkspace(caller, now)
            current = now
            return now
          },
          build: (options) => createMcpServer(host, tools, { ...options, ...fixed }),
        }
      },
    })
  }
  mount({ method: 'GET', path: `${MCP_PATH}/icons/{file}` }, async ({ params }) =>
    serveIcon(params.file ?? ''),
  )
  let endpoint: Promise<RawHandler> | undefined
  for (const method of MCP_METHODS)
    mount({ method, path: MCP_PATH, queue: 'slow' }, async (call) => {
      endpoint ??= load()
      return (await endpoint)(call)
    })
}

/** The icons of the tools, which clients load without a credential. */
const serveIcon = async (file: string): Promise<Response> => {
  const { iconSvg } = await import('../../mcp/icons.ts')
  const svg = file.endsWith('.svg') ? iconSvg(file.slice(0, -'.svg'.length)) : undefined
  if (!svg) throw mcpError('mcp_icon_not_found')
  return new Response(svg, {
    headers: {
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      // Opened as a document, it can run nothing.
      'content-security-policy': "default-src 'none'; sandbox",
      // Clients in a browser draw it on their own pages.
      'access-control-allow-origin': '*',
    },
  })
}

/** Handles a request in this process, like one from the network. */
export type Dispatch = (request: Request) => Promise<Response>

/**
 * The API for the MCP tools. Each call is a request to an endpoint, with its authorization, validation
 * and usage limits, that does not leave the process.
 */
const serverHost = (dispatch: Dispatch, baseUrl: string, caller: () => Caller): ToolHost => {
  const open = (settings: CallOptions = {}): Client =>
    createClient({
      // The app has no path of its own.
      baseUrl: new URL(baseUrl).origin,
      userAgent: 'svc-mcp',
      channel: MCP_CHANNEL,
      fetch: (url, init) => dispatch(internalRequest(new Request(url.href, init), caller())),
      ...settings,
    })
  return {
    async call(work, settings) {
      try {
        return await work(open(settings))
      } catch (error) {
        if (error instanceof ToolCallError) throw error
        throw new ToolCallError(advise(error), { cause: error })
      }
    },
    isSignedIn: () => true,
    serverUrl: () => baseUrl,
  }
}

const advise = (error: unknown): string => {
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error)
  const hint = error.requestId ? `; the server's log names this request ${error.requestId}` : ''
  return (
    adviseOnFailure(error) ??
    `svc failed with ${error.status}: ${error.message}. Call again${hint}.`
  )
}
