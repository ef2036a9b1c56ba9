import { decodeJwt } from 'jose'
import type { Introspection } from '../../../../shared/contract/openid.ts'
import type { Database } from '../../../platform/db/database.ts'
import { authenticateConfidential } from './client-authentication.ts'
import { OAuthError } from './errors.ts'
import type { TokenForm } from './forms.ts'
import { prepareFindGrant } from './store.ts'
import { findGrantOf } from './token-endpoint.ts'
import type { GrantTokens } from './tokens.ts'

const INACTIVE: Introspection = { active: false }

/**
 * The state of a token, for the client that it was issued to (RFC 7662).
 * @throws OAuthError 401 for a client without a valid secret.
 */
export type Introspect = (form: TokenForm) => Promise<Introspection>

export const createIntrospection = ({ db }: Database, tokens: GrantTokens): Introspect => {
  const findGrant = prepareFindGrant(db)

  return async (form) => {
    const client = await authenticateConfidential(db, form)
    if (!form.token) throw new OAuthError('invalid_request', 'token is missing')
    const found = await findGrantOf(form.token, tokens, findGrant)
    if (!found || found.grant.clientId !== client.id || found.grant.pausedAt) return INACTIVE
    const { grant, generation } = found
    const isRefresh = generation !== undefined
    if (isRefresh && generation !== grant.session.generation) return INACTIVE
    const { iss, aud, iat, exp } = decodeJwt(form.token)
    return {
      active: true,
      scope: (grant.agreedScopes ?? []).join(' '),
      client_id: client.id,
      token_type: isRefresh ? 'refresh_token' : 'Bearer',
      sub: grant.user.id,
      ...(iss && { iss }),
      ...(typeof aud === 'string' && { aud }),
      ...(iat && { iat }),
      ...(exp && { exp }),
    }
  }
}
