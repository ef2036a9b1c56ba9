import { isIP } from 'node:net'
import { mcp } from '../../shared/contract/index.ts'
import { errorText } from '../../shared/errors.ts'
import type { Authenticate, Caller } from '../platform/http/caller.ts'
import { ApiError, defineErrors } from '../platform/http/error.ts'
import { identify } from '../platform/http/guard.ts'
import type { RawCall } from '../platform/http/mounts.ts'
import { reachedAs } from '../platform/http/url.ts'

interface AdmissionDeps {
  authenticate: Authenticate
  baseUrl: string
}

/**
 * Finds the caller of a request to the MCP endpoint.
 * @throws ApiError 401 with a challenge that names the authorization server (RFC 6750, RFC 9728).
 */
export const admit = async (
  { request, client }: Pick<RawCall, 'request' | 'client'>,
  settings: AdmissionDeps,
): Promise<Caller> => {
  const { headers } = request
  const hasCredential = headers.has('authorization') || headers.has('x-api-key')
  return identify(headers, 'bearer', settings.authenticate, { client }).catch((error) => {
    if (error instanceof ApiError && error.status === 401)
      throw signInRequired(error.message, hasCredential, reachedAs(request, settings.baseUrl))
    throw error
  })
}

const signInRequired = (reason: string, hasCredential: boolean, baseUrl: string): ApiError => {
  const detail = hasCredential
    ? `${reason === errorText.badCredentials ? 'The credential is not valid' : reason}: it was revoked, has expired or is of another server. Sign in again: connect to ${baseUrl}${MCP_PATH} again in your client, or set a new API key there.`
    : 'Sign in first: clients that support OAuth do so on their own; for others create an API key (svc login, svc keys create) and send it as a bearer token.'
  const error = hasCredential ? `error="invalid_token", error_description="${detail}", ` : ''
  const metadata = `${baseUrl}/.well-known/oauth-protected-resource${MCP_PATH}`
  const challenge = `Bearer ${error}resource_metadata="${metadata}", scope="mcp"`
  return mcpError('mcp_sign_in_required', detail, challenge)
}

/**
 * Protects a server on a local address against DNS rebinding: a web page whose host name resolves to this
 * machine sends that name. A public server is reached by its name anyway.
 * @throws ApiError 403 for a host name that a local server cannot have.
 */
export const checkHost = (request: Request, baseUrl: string): void => {
  if (!isLocal(new URL(baseUrl).hostname)) return
  const host = request.headers.get('host')
  const name = host === null ? undefined : URL.parse(`http://${host}`)?.hostname
  if (name === undefined || !isLocal(name)) throw mcpError('mcp_host_not_allowed')
}

/** An IP address, or a name that public DNS does not resolve. */
const isLocal = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || name.endsWith('.localhost')

export const mcpError = defineErrors({
  mcp_sign_in_required: (detail: string, challenge: string) => ({
    status: 401,
    detail,
    headers: { 'www-authenticate': challenge },
  }),
  mcp_tools_invalid: (detail: string) => ({ status: 400, detail }),
  mcp_icon_not_found: { status: 404, detail: errorText.notFound },
  mcp_host_not_allowed: {
    status: 403,
    detail: 'Host is not allowed; set SVC_BASE_URL to the address that clients use',
  },
})

export const MCP_PATH = mcp.path

/** `GET` and `DELETE` belong to sessions. The endpoint has none, and answers 405. */
export const MCP_METHODS = ['POST', 'GET', 'DELETE'] as const

/** Request headers of browser clients, beyond those of the rest of the API. */
export const MCP_HEADERS = [
  ...['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id'],
  ...['X-MCP-Tools', 'X-MCP-Toolsets', 'X-MCP-Readonly'],
]
