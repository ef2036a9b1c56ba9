import { APP_SCOPES, type AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { Scope } from '../../../../shared/contract/scopes.ts'
import { isSamePlace } from '../../../platform/http/url.ts'
import { OAuthError } from './errors.ts'
import type { FindOpenId } from './openid.ts'

/** The resources that tokens are for (RFC 8707): the MCP endpoint, and the API for apps. */
export interface Resources {
  mcp: string
  api: string
  /** The scopes that an app can request. */
  appScopes(): readonly AppScope[]
}

/** The scopes of an OpenID provider, about who the user is. */
const IDENTITY: ReadonlySet<AppScope> = new Set<AppScope>(['openid', 'profile', 'email'])
const OTHERS = APP_SCOPES.filter((scope) => !IDENTITY.has(scope))

export const resourcesOf = (
  { baseUrl, mcpUrl }: { baseUrl: string; mcpUrl: string },
  openId: FindOpenId,
): Resources => ({
  mcp: mcpUrl,
  api: `${baseUrl}/api`,
  appScopes: () => (openId() ? APP_SCOPES : OTHERS),
})

/** The scope of tokens of the MCP endpoint. */
export const MCP_SCOPE = 'mcp'
const OFFLINE: AppScope = 'offline_access'

/** The scopes of the API that a token with these scopes has. */
export const apiScopes = (scopes: readonly AppScope[]): Scope[] =>
  scopes.filter((scope) => scope === 'memory:read' || scope === 'memory:write')

export const isOffline = (scopes: readonly AppScope[]): boolean => scopes.includes(OFFLINE)

/** The scopes that a client may have. */
export interface ClientScopes {
  /** Who described the client: itself, its metadata document, or an admin. */
  kind: 'self' | 'document' | 'managed'
  allowedScopes: readonly AppScope[]
}

interface ScopeRequest {
  scope: string | undefined
  resource: string | undefined
}

/**
 * The scopes that an app requests; null for a request about the MCP endpoint, whose tokens have its scopes.
 * A client that registered itself uses the MCP endpoint only, and one of an admin the API only. One with a
 * metadata document names the resource, or scopes of the API and not that of the MCP endpoint.
 * @throws OAuthError for another resource, for no known scope, and for one that the client may not have.
 */
export const requestedScopes = (
  client: ClientScopes,
  { scope = '', resource }: ScopeRequest,
  resources: Resources,
): AppScope[] | null => {
  const words = new Set(scope.split(' '))
  const known: readonly string[] = resources.appScopes()
  const scopes = [...words].filter((word): word is AppScope => known.includes(word))
  if (isAboutMcp(client, { words, scopes, resource }, resources)) {
    checkResource(resource, resources.mcp)
    return null
  }
  checkResource(resource, resources.api)
  const refused = scopes.find((each) => !client.allowedScopes.includes(each))
  if (refused) throw new OAuthError('invalid_scope', `The client may not request ${refused}`)
  if (!scopes.some((each) => each !== OFFLINE))
    throw new OAuthError('invalid_scope', `scope must have one of ${known.join(' ')}`)
  return scopes
}

const isAboutMcp = (
  { kind }: Pick<ClientScopes, 'kind'>,
  request: { words: ReadonlySet<string>; scopes: AppScope[]; resource: string | undefined },
  { mcp }: Resources,
): boolean => {
  if (kind !== 'document') return kind === 'self'
  const { words, scopes, resource } = request
  if (resource !== undefined) return isSame(resource, mcp)
  return words.has(MCP_SCOPE) || !scopes.some((each) => each !== OFFLINE)
}

/**
 * A query selects tools of the same resource, and some clients send it.
 * @throws OAuthError for another resource. The parameter is optional.
 */
export const checkResource = (requested: string | undefined, ...allowed: string[]): void => {
  if (requested === undefined || allowed.some((resource) => isSame(requested, resource))) return
  throw new OAuthError('invalid_target', `resource must be ${allowed.join(' or ')}`)
}

const isSame = (requested: string, resource: string) =>
  isSamePlace(requested.split('?', 1).join(), resource)
