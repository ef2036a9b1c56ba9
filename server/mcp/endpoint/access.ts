import { isIP } from 'node:net'
import { errorText } from '../../../shared/errors.ts'
import type { Authenticate, Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { identify } from '../../platform/http/guard.ts'
import { reachedAs } from '../../platform/http/own-address.ts'

export interface AccessSettings {
  authenticate: Authenticate
  baseUrl: string
}

/** Finds the caller of a request to the MCP endpoint. @throws ApiError 401 that says where to sign in. */
export const admit = async (request: Request, settings: AccessSettings): Promise<Caller> => {
  const { headers } = request
  const isGiven = headers.has('authorization') || headers.has('x-api-key')
  return identify(headers, 'bearer', settings.authenticate).catch((error) => {
    if (error instanceof ApiError && error.status === 401)
      throw new SignInFirst(error.message, isGiven, reachedAs(request, settings.baseUrl))
    throw error
  })
}

/** A 401 that a client answers by signing in (RFC 6750, RFC 9728), and a person can read. */
class SignInFirst extends ApiError {
  override name = 'SignInFirst'
  constructor(
    reason: string,
    readonly isGiven: boolean,
    baseUrl: string,
  ) {
    const error = isGiven ? `error="invalid_token", ` : ''
    const metadata = `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`
    const challenge = `Bearer ${error}resource_metadata="${metadata}", scope="mcp"`
    super(401, whatToDo(reason, isGiven, baseUrl), { headers: { 'www-authenticate': challenge } })
  }

  override get body(): object {
    return {
      error: this.isGiven ? 'invalid_token' : 'unauthorized',
      error_description: this.message,
      detail: this.detail,
    }
  }
}

const whatToDo = (reason: string, isGiven: boolean, baseUrl: string): string =>
  isGiven
    ? `${reason === errorText.badCredentials ? 'The sign-in was refused' : reason}: it was revoked, has expired or is not of this server. Sign in again: connect to ${baseUrl}/api/mcp anew in your client, or put a new API key there.`
    : `Sign in first: a client that knows OAuth does so by itself; for others make an API key (svc login, svc keys create) and send it as a bearer.`

/**
 * A page of a stranger whose name was made to lead to this machine (DNS rebinding) comes by that
 * name. A server on the internet is reached by its name anyway.
 * @throws ApiError 403 for a name that a server on this machine does not have.
 */
export const checkHost = (request: Request, baseUrl: string): void => {
  if (!isLocal(new URL(baseUrl).hostname)) return
  const given = request.headers.get('host')
  const name = given === null ? undefined : URL.parse(`http://${given}`)?.hostname
  if (name === undefined || !isLocal(name))
    throw new ApiError(
      403,
      'Host not allowed; SVC_BASE_URL says by which name this server is reached',
    )
}

/** An address, or a name that no public DNS gives out. */
const isLocal = (name: string): boolean =>
  isIP(name.replace(/^\[|\]$/g, '')) !== 0 || !name.includes('.') || name.endsWith('.localhost')
