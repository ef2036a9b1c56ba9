import { decodeJwt } from 'jose'
import type { Introspection } from '../../../shared/contract/openid.ts'
import { authenticateConfidential } from '../../account/access/oauth-server/client-authentication.ts'
import { OAuthError } from '../../account/access/oauth-server/errors.ts'
import type { TokenForm } from '../../account/access/oauth-server/forms.ts'
import type { GrantAuthentication } from '../../account/access/oauth-server/grants.ts'
import type { Database } from '../../platform/db/database.ts'

const INACTIVE: Introspection = { active: false }

/**
 * The state of a token, for the client that it was issued to (RFC 7662).
 * @throws OAuthError 401 for a client without a valid secret.
 */
export type Introspect = (form: TokenForm) => Promise<Introspection>

export const createIntrospection =
  ({ db }: Database, grants: Pick<GrantAuthentication, 'findByToken'>): Introspect =>
  async (form) => {
    const client = await authenticateConfidential(db, form)
    if (!form.token) throw new OAuthError('invalid_request', 'token is missing')
    const found = await grants.findByToken(form.token)
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
