import {
  issueTokens,
  mcpAuthorizationServer,
  mcpResource,
  mcpResourceAtRoot,
  registerOAuthClient,
  revokeToken,
} from '../../../../shared/contract/index.ts'
import { budgets } from '../../../platform/budgets.ts'
import type { MountRaw, RawCall, RawHandler } from '../../../platform/http/mounts.ts'
import { reachedAs } from '../../../platform/http/url.ts'
import { asOAuthError, OAuthError, type OAuthErrorCode } from './errors.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import type { ClientRegistrationService } from './registration.ts'
import type { TokenEndpoint, TokenForm } from './token-endpoint.ts'

/** The endpoints that OAuth clients call. Users see the pages. */
export const oauthServerRoutes = (
  mount: MountRaw,
  registrations: ClientRegistrationService,
  tokenEndpoint: TokenEndpoint,
  { baseUrl, resource }: { baseUrl: string; resource: string },
): void => {
  const { pathname } = new URL(resource)
  for (const row of [mcpResource, mcpResourceAtRoot])
    mount(row, ({ request }) =>
      // A client accepts the document only if `resource` has the host that it called.
      document(resourceMetadata(baseUrl, `${reachedAs(request, baseUrl)}${pathname}`)),
    )
  mount(mcpAuthorizationServer, () => document(serverMetadata(baseUrl, resource)))

  const register: RawHandler = async ({ json, client }) =>
    respond(await registrations.register(await json(), client.ip), 201)
  const issue: RawHandler = async (call) =>
    respond(await tokenEndpoint.token(await readForm(call), call.client))
  const revoke: RawHandler = async (call) => {
    await tokenEndpoint.revoke(await readForm(call))
    return respond({})
  }
  mount(registerOAuthClient, withOAuthErrors(register, 'invalid_client_metadata'))
  mount(issueTokens, withOAuthErrors(issue, 'invalid_request'))
  mount(revokeToken, withOAuthErrors(revoke, 'invalid_request'))
}

const withOAuthErrors =
  (handle: RawHandler, invalid: OAuthErrorCode): RawHandler =>
  async (call) => {
    try {
      return await handle(call)
    } catch (error) {
      return asOAuthError(invalid)(error)
    }
  }

/** A public document. */
const document = (body: object): Response =>
  Response.json(body, { headers: { 'cache-control': 'public, max-age=3600' } })

const respond = (body: object, status = 200): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } })

/**
 * Reads a form. A public client may send its client_id by Basic authentication.
 * @throws OAuthError for another content type, and for a repeated field (RFC 6749, section 3.2).
 */
const readForm = async ({ request, text: read }: RawCall): Promise<TokenForm> => {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new OAuthError(
      'invalid_request',
      'Content-Type must be application/x-www-form-urlencoded',
    )
  const text = await read(budgets.oauthForm.bytes)
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(fields, name) && fields[name] !== value)
      throw new OAuthError('invalid_request', `${name} must not be repeated`)
    fields[name] = value
  }
  const basicId = basicClientId(request.headers.get('authorization'))
  return { ...(basicId !== undefined && { client_id: basicId }), ...fields }
}

const basicClientId = (header: string | null): string | undefined => {
  const [scheme, credentials = ''] = header?.split(' ') ?? []
  if (scheme?.toLowerCase() !== 'basic') return undefined
  const [id = ''] = Buffer.from(credentials, 'base64').toString().split(':')
  try {
    return decodeURIComponent(id.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
