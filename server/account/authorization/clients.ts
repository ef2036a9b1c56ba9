import type { Database } from '../../platform/db/database.ts'
import { FetchFailure } from '../../platform/fetch/failure.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { readMetadata } from './registration.ts'
import { findClient } from './store.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_DOCUMENT_BYTES = 64 * 1024
const KEPT_MS = 5 * 60_000
const MAX_KEPT = 200
const TIMEOUT_MS = 5_000

/** A program that may be let in. */
export interface OAuthClient {
  id: string
  name: string
  redirectUris: readonly string[]
  /** The site whose metadata document describes it; null for one that described itself. */
  site: string | null
}

export interface ClientFinder {
  /**
   * Finds who a client id names: one that registered, or the one that a document describes (Client ID
   * Metadata Documents). Documents are fetched for whoever is signed in alone.
   * @throws ApiError 400 for one that is not known, or whose document will not do.
   */
  find(clientId: string, userId: string): Promise<OAuthClient>
}

export const createClientFinder = (
  { db }: Database,
  { fetcher, limits }: { fetcher: Fetcher; limits: Limits },
): ClientFinder => {
  const kept = new Map<string, { client: OAuthClient; until: number }>()

  const fetched = async (url: URL, clientId: string, userId: string): Promise<OAuthClient> => {
    const known = kept.get(clientId)
    if (known && known.until > Date.now()) return known.client
    await limits.clientDocuments.take(userId)
    const client = await fetchClient(fetcher, url, clientId)
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(clientId, { client, until: Date.now() + KEPT_MS })
    return client
  }

  return {
    async find(clientId, userId) {
      const url = documentUrl(clientId)
      if (url) return fetched(url, clientId, userId)
      const row = UUID.test(clientId) ? await findClient(db, clientId) : undefined
      if (!row)
        throw new ApiError(
          400,
          'This program is not known here any more. Take the connection out of it and connect again.',
        )
      return { id: row.id, name: row.name, redirectUris: row.redirectUris, site: null }
    },
  }
}

/** The URL of a metadata document: https, with a path, and to be compared letter by letter. */
const documentUrl = (clientId: string): URL | undefined => {
  const url = clientId.length <= 2000 ? URL.parse(clientId) : null
  const isOne =
    url?.protocol === 'https:' && url.pathname !== '/' && url.href === clientId && !url.hash
  return isOne && !url.username && !url.password ? url : undefined
}

const fetchClient = async (fetcher: Fetcher, url: URL, clientId: string): Promise<OAuthClient> => {
  const limits = { maxBytes: MAX_DOCUMENT_BYTES, maxRedirects: 0 }
  const { bytes } = await fetcher
    .get(url, AbortSignal.timeout(TIMEOUT_MS), limits)
    .catch((error) => {
      if (!(error instanceof FetchFailure)) throw error
      throw unfit(url, error.reason === 'redirects' ? 'It leads elsewhere' : error.message)
    })
  const document = parse(bytes)
  if (document?.client_id !== clientId) throw unfit(url, 'It does not name itself as its client_id')
  const { name, redirectUris, authMethod } = readMetadata(document)
  if (authMethod !== undefined && authMethod !== 'none')
    throw unfit(url, 'It asks for a way to authenticate other than none')
  return { id: clientId, name, redirectUris, site: url.host }
}

const parse = (bytes: Uint8Array): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const unfit = (url: URL, why: string) =>
  new ApiError(400, `The description of the program at ${url.host} cannot be used. ${why}.`)
