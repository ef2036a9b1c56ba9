import { APP_SCOPES } from '../../../../shared/contract/app-scopes.ts'
import { budgets } from '../../../platform/budgets.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../../platform/fetch/request.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../../platform/http/limits.ts'
import { findClient } from './client-store.ts'
import { authorizationError } from './errors.ts'
import { isRedirectUri } from './redirects.ts'
import { readClientMetadata } from './registration.ts'
import type { ClientScopes } from './scopes.ts'

/** Client ID Metadata Documents that are fetched for a user. */
export const clientDocumentLimit = defineLimit({
  name: 'client_documents',
  per: 'user',
  points: 30,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many client documents read',
})

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const CACHE_MS = 5 * 60_000

export interface OAuthClient extends ClientScopes {
  id: string
  name: string
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  /** The host of the client's metadata document; null for others. */
  site: string | null
  isConfidential: boolean
  skipsConsent: boolean
}

export type ClientFinder = ReturnType<typeof createClientFinder>

export const createClientFinder = (
  { db }: Database,
  { fetcher, limiter }: { fetcher: Fetcher; limiter: Limiter },
) => {
  const cache = new Map<string, { client: OAuthClient; expiresAt: number }>()

  const fetchCached = async (url: URL, clientId: string, userId: string): Promise<OAuthClient> => {
    const cached = cache.get(clientId)
    if (cached && cached.expiresAt > Date.now()) return cached.client
    await limiter.consume(clientDocumentLimit, userId)
    const client = await fetchClient(fetcher, url, clientId)
    if (cache.size >= budgets.clientDocument.count) cache.clear()
    cache.set(clientId, { client, expiresAt: Date.now() + CACHE_MS })
    return client
  }

  return {
    /**
     * Finds a client by its id: a registered client, or one with a metadata document (Client ID Metadata
     * Documents). The limit of fetched documents counts for `userId`.
     * @throws ApiError 400 for an unknown client or an invalid document, 429 for too many documents.
     */
    async find(clientId: string, userId: string): Promise<OAuthClient> {
      const url = documentUrl(clientId)
      if (url) return fetchCached(url, clientId, userId)
      const row = isRegisteredId(clientId) ? await findClient(db, clientId) : undefined
      if (!row) throw authorizationError('oauth_client_unknown')
      // The rules may be stricter now than when the client registered.
      const redirectUris = row.redirectUris.filter(isRedirectUri)
      return {
        id: row.id,
        name: row.name,
        redirectUris,
        site: null,
        kind: row.isManaged ? 'managed' : 'self',
        postLogoutRedirectUris: row.postLogoutRedirectUris,
        allowedScopes: row.allowedScopes,
        isConfidential: row.secretHash !== null,
        skipsConsent: row.skipsConsent,
      }
    },
  }
}

/** Whether the id can be one of a registered client. */
export const isRegisteredId = (clientId: string): boolean => UUID.test(clientId)

/** @returns the URL if the client id is one of a metadata document: https, with a path, in normal form. */
const documentUrl = (clientId: string): URL | undefined => {
  const url = clientId.length <= 2000 ? URL.parse(clientId) : null
  const isDocument =
    url?.protocol === 'https:' && url.pathname !== '/' && url.href === clientId && !url.hash
  return isDocument && !url.username && !url.password ? url : undefined
}

const fetchClient = async (fetcher: Fetcher, url: URL, clientId: string): Promise<OAuthClient> => {
  const invalid = (problem: string) =>
    authorizationError('client_metadata_invalid', url.host, problem)
  const limits = { maxBytes: budgets.clientDocument.bytes, maxRedirects: 0 }
  const { bytes } = await fetcher
    .get(url, AbortSignal.timeout(budgets.clientDocument.ms), limits)
    .catch((error) => {
      if (!(error instanceof FetchFailure)) throw error
      throw invalid(error.reason === 'redirects' ? 'redirects are not allowed' : error.message)
    })
  const document = parse(bytes)
  if (document?.client_id !== clientId) throw invalid('client_id must be the URL of the document')
  const { name, redirectUris, postLogoutRedirectUris, authMethod } = readClientMetadata(document)
  if (authMethod !== undefined && authMethod !== 'none')
    throw invalid('token_endpoint_auth_method must be none')
  return {
    id: clientId,
    name,
    redirectUris,
    postLogoutRedirectUris,
    site: url.host,
    kind: 'document',
    allowedScopes: APP_SCOPES,
    isConfidential: false,
    skipsConsent: false,
  }
}

const parse = (bytes: Uint8Array): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
