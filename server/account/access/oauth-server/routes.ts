import {
  issueTokens,
  mcp,
  mcpAuthorizationServer,
  mcpResource,
  mcpResourceAtRoot,
  registerOAuthClient,
  revokeToken,
} from '../../../../shared/contract/index.ts'
import type { MountRaw, RawHandler } from '../../../platform/http/mounts.ts'
import { reachedAs } from '../../../platform/http/url.ts'
import { readForm } from './forms.ts'
import { pathsOf, publicDocument, secretResponse, withOAuthErrors } from './http.ts'
import { resourceMetadata } from './metadata.ts'
import type { ClientRegistrationService } from './registration.ts'
import type { TokenEndpoint } from './token-endpoint.ts'

/** The endpoints that OAuth clients call. Users see the pages. */
export const oauthServerRoutes = (
  mount: MountRaw,
  {
    clientRegistrations: registrations,
    tokenEndpoint,
    serverMetadata,
  }: {
    clientRegistrations: ClientRegistrationService
    tokenEndpoint: TokenEndpoint
    serverMetadata(): object
  },
  baseUrl: string,
): void => {
  const paths = (row: Parameters<typeof pathsOf>[0]) => pathsOf(row, baseUrl)
  for (const row of [mcpResource, mcpResourceAtRoot].flatMap(paths))
    mount(row, ({ request }) =>
      // A client accepts the document only if `resource` has the host that it called.
      publicDocument(resourceMetadata(baseUrl, `${reachedAs(request, baseUrl)}${mcp.path}`)),
    )
  for (const row of paths(mcpAuthorizationServer))
    mount(row, () => publicDocument(serverMetadata()))

  const register: RawHandler = async ({ json, client }) =>
    secretResponse(await registrations.register(await json(), client.ip), 201)
  const issue: RawHandler = async (call) =>
    secretResponse(await tokenEndpoint.token(await readForm(call), call.client))
  const revoke: RawHandler = async (call) => {
    await tokenEndpoint.revoke(await readForm(call))
    return secretResponse({})
  }
  mount(registerOAuthClient, withOAuthErrors(register, 'invalid_client_metadata'))
  mount(issueTokens, withOAuthErrors(issue, 'invalid_request'))
  mount(revokeToken, withOAuthErrors(revoke, 'invalid_request'))
}
