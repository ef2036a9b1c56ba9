import type { RegisteredClient } from '../../../../shared/contract/oauth-server.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Limiter } from '../../../platform/http/limits.ts'
import { clientRegistrationLimit } from '../../limits.ts'
import { SCOPES } from './metadata.ts'
import { readClientMetadata } from './registration.ts'
import { deleteIdleClients, insertClient } from './store.ts'

export type ClientRegistrationService = ReturnType<typeof createClientRegistrationService>

/** Dynamic client registration (RFC 7591). */
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
      scope: SCOPES.join(' '),
    }
  },
})
