import type { Endpoint } from '../../../../shared/contract/endpoint.ts'
import {
  introspectToken,
  issueTokens,
  mcp,
  mcpAuthorizationServer,
  mcpResource,
  mcpResourceAtRoot,
  openIdConfiguration,
  registerOAuthClient,
  revokeToken,
} from '../../../../shared/contract/index.ts'
import { basePathOf } from '../../../../shared/urls.ts'
import type { MountRaw, RawHandler } from '../../../platform/http/mounts.ts'
import { reachedAs } from '../../../platform/http/url.ts'
import { asOAuthError, type OAuthErrorCode } from './errors.ts'
import { readForm } from './forms.ts'
import type { Introspect } from './introspection.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import type { ClientRegistrationService } from './registration.ts'
import type { Resources } from './scopes.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** The endpoints that OAuth clients call. Users see the pages. */
export const oauthServerRoutes = (
  mount: MountRaw,
  {
    registrations,
    tokenEndpoint,
    introspect,
  }: {
    registrations: ClientRegistrationService
    tokenEndpoint: TokenEndpoint
    introspect: Introspect
  },
  { baseUrl, resources }: { baseUrl: string; resources: Resources },
): void => {
  const basePath = basePathOf(baseUrl)
  /** The path of a document, and that with the path of the server inserted (RFC 8414, section 3.1; RFC 9728, 3.1). */
  const placesOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => [
    { method, path },
    ...(basePath
      ? [{ method, path: path.replace(/^\/\.well-known\/[^/]+/, `$&${basePath}`) }]
      : []),
  ]
  for (const row of [mcpResource, mcpResourceAtRoot].flatMap(placesOf))
    mount(row, ({ request }) =>
      // A client accepts the document only if `resource` has the host that it called.
      document(resourceMetadata(baseUrl, `${reachedAs(request, baseUrl)}${mcp.path}`)),
    )
  for (const row of [mcpAuthorizationServer, openIdConfiguration].flatMap(placesOf))
    mount(row, () => document(serverMetadata(baseUrl, resources)))

  const register: RawHandler = async ({ json, client }) =>
    respond(await registrations.register(await json(), client.ip), 201)
  const issue: RawHandler = async (call) =>
    respond(await tokenEndpoint.token(await readForm(call), call.client))
  const revoke: RawHandler = async (call) => {
    await tokenEndpoint.revoke(await readForm(call))
    return respond({})
  }
  const inspect: RawHandler = async (call) => respond(await introspect(await readForm(call)))
  mount(introspectToken, withOAuthErrors(inspect, 'invalid_request'))
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
