import { Value } from '@sinclair/typebox/value'
import { ClientMetadata, type RegisteredClient } from '../../../../shared/contract/oauth-server.ts'
import { isObject } from '../../../../shared/objects.ts'
import type { Database } from '../../../platform/db/database.ts'
import { defineLimit, HOUR_SECONDS, type Limiter } from '../../../platform/http/limits.ts'
import { deleteIdleClients, insertClient } from './client-store.ts'
import { OAuthError } from './errors.ts'
import { MCP_SCOPES } from './metadata.ts'
import { isRedirectUri } from './redirects.ts'

export const clientRegistrationLimit = defineLimit({
  name: 'client_registrations',
  per: 'address',
  points: 60,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many clients registered',
})

/** Dynamic client registration (RFC 7591). */
export type ClientRegistrationService = ReturnType<typeof createClientRegistrationService>

export const createClientRegistrationService = ({ db }: Database, limiter: Limiter) => ({
  /** @throws OAuthError for invalid metadata, ApiError 429 for too many registrations. */
  async register(metadata: unknown, ip: string): Promise<RegisteredClient> {
    const { name, uri, redirectUris } = readClientMetadata(metadata)
    await limiter.consume(clientRegistrationLimit, ip)
    await deleteIdleClients(db, 1)
    const row = await insertClient(db, { id: Bun.randomUUIDv7(), name, uri, redirectUris })
    return {
      client_id: row.id,
      client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
      client_name: row.name,
      ...(row.uri && { client_uri: row.uri }),
      redirect_uris: row.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: MCP_SCOPES.join(' '),
    }
  },
})

/** The total length of all redirect URIs. */
const MAX_REDIRECT_CHARS = 8_000
const MAX_NAME = 100

interface ClientDescription {
  name: string
  uri: string | null
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  authMethod: string | undefined
}

/**
 * Reads metadata, of which a field that is null counts as left out (RFC 7592, section 2.2).
 * @throws OAuthError for invalid or unsupported metadata.
 */
export const readClientMetadata = (document: unknown): ClientDescription => {
  const metadata = isObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([, value]) => value !== null))
    : document
  if (!Value.Check(ClientMetadata, metadata)) throw invalidMetadata(metadata)
  const { redirect_uris, grant_types, response_types } = metadata
  if (redirect_uris.join('').length > MAX_REDIRECT_CHARS)
    throw new OAuthError(
      'invalid_client_metadata',
      'redirect_uris are longer than 8,000 characters together',
    )
  const bad = redirect_uris.find((uri) => !isRedirectUri(uri))
  if (bad !== undefined)
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be https, http on a loopback address, a reversed domain name such as com.example.app:, or the scheme of a known app, without user, password and fragment',
    )
  if (grant_types && !grant_types.includes('authorization_code'))
    throw new OAuthError('invalid_client_metadata', 'grant_types must include authorization_code')
  if (response_types && !response_types.includes('code'))
    throw new OAuthError('invalid_client_metadata', 'response_types must include code')
  return {
    name: displayName(metadata),
    uri: httpUrl(metadata.client_uri),
    redirectUris: redirect_uris,
    postLogoutRedirectUris: (metadata.post_logout_redirect_uris ?? []).filter(isRedirectUri),
    authMethod: metadata.token_endpoint_auth_method,
  }
}

const invalidMetadata = (metadata: unknown): OAuthError => {
  const first = Value.Errors(ClientMetadata, metadata).First()
  const field = first?.path.slice(1) || 'The metadata'
  return new OAuthError('invalid_client_metadata', `${field}: ${first?.message ?? 'not valid'}`)
}

/** One line without control characters, because pages show the name to users. */
const displayName = ({ client_name, redirect_uris: [first = ''] }: ClientMetadata): string => {
  const words = (client_name ?? '').replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  const name = [...words].slice(0, MAX_NAME).join('')
  return name || (URL.parse(first)?.hostname ?? '') || 'An app'
}

const httpUrl = (text: string | undefined): string | null => {
  const url = text === undefined ? null : URL.parse(text)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}
