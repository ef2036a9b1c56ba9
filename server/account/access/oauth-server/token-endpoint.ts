import { createHash } from 'node:crypto'
import type { OAuthTokens } from '../../../../shared/contract/oauth-server.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import type { Limiter } from '../../../platform/http/limits.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { findKeyScopes } from '../../organizations/policies/store.ts'
import type { KeyService } from '../keys/service.ts'
import type { SessionService } from '../sessions/service.ts'
import { authenticateClient } from './client-authentication.ts'
import { exchangeKey, isKeyClient } from './client-credentials.ts'
import { OAuthError } from './errors.ts'
import type { TokenForm } from './forms.ts'
import { findGrantOf, userAgentOfApp } from './grants.ts'
import { MCP_SCOPES } from './metadata.ts'
import type { FindOpenId } from './openid.ts'
import { apiScopes, checkResource, isOffline, type Resources } from './scopes.ts'
import {
  type FoundGrant,
  insertGrant,
  type LockedCode,
  lockCode,
  markCodeUsed,
  prepareFindGrant,
} from './store.ts'
import { accessSeconds, GRANT_ACCESS_SECONDS, type GrantTokens } from './tokens.ts'

/**
 * The grace of refresh token rotation: how long a used refresh token stays valid while its successor is
 * unused. Public clients rotate refresh tokens, and a reused one ends the grant, because it may be stolen
 * (RFC 9700, sections 2.2.2 and 4.14.2; OAuth 2.1, section 4.3.1). A lost response, or two windows that
 * refresh at once, reuse a token too, so identity providers allow a grace (Okta and Amazon Cognito: up to
 * a minute). Within it a theft is not detected, so it is short and applies to the previous token only.
 */
const REFRESH_GRACE_SECONDS = 30

/** How long after its use a code with its verifier counts as the same request, sent again. */
const REPETITION_SECONDS = 10

const VERIFIER = /^[\w.~-]{43,128}$/

interface TokenEndpointDeps {
  database: Database
  keys: Pick<KeyService, 'authenticate' | 'expiresAt'>
  limiter: Limiter
  sessions: Pick<SessionService, 'open' | 'advance' | 'end'>
  tokens: GrantTokens
  openId: FindOpenId
  resources: Resources
}

/** Issues and revokes the tokens of OAuth clients. Each grant is a session of the user. */
export type TokenEndpoint = ReturnType<typeof createTokenEndpoint>

export const createTokenEndpoint = (deps: TokenEndpointDeps) => {
  const { sessions, tokens, resources } = deps
  const { db } = deps.database
  const findGrant = prepareFindGrant(db)

  /** @throws OAuthError for a grant that has ended, or that a request to the API would not find. */
  const findIssued = async (sessionId: string): Promise<FoundGrant> => {
    const found = await findGrant(sessionId)
    if (!found) throw invalidGrant('The authorization has ended. Authorize again')
    return found
  }

  const exchangeCode = async (form: TokenForm, client: RequestClient): Promise<OAuthTokens> => {
    for (const name of ['code', 'client_id', 'redirect_uri', 'code_verifier'])
      if (!form[name]) throw new OAuthError('invalid_request', `${name} is missing`)
    await authenticateClient(db, form)
    const redeemed = await db.transaction(async (tx) => {
      const found = await lockCode(tx, hashSecret(form.code ?? ''))
      return found && redeemCode(tx, sessions, found, { form, client })
    })
    if (!redeemed) throw invalidGrant('The code is invalid, expired or already used')
    const found = await findIssued(redeemed.sessionId)
    return issueTokens(deps, found, { generation: 0, nonce: redeemed.nonce })
  }

  const exchangeRefreshToken = async (form: TokenForm): Promise<OAuthTokens> => {
    if (!form.refresh_token) throw new OAuthError('invalid_request', 'refresh_token is missing')
    await authenticateClient(db, form)
    const read = await tokens.readRefresh(form.refresh_token)
    const found = read.ok ? await findGrant(read.claims.sessionId) : undefined
    if (!read.ok || !found || !isGrantedTo(found, form))
      throw invalidGrant('The refresh token is invalid or expired. Authorize again')
    const session = await sessions.advance(read.claims, REFRESH_GRACE_SECONDS)
    if (!session)
      throw invalidGrant(
        'The refresh token was used before, so the grant is ended. Authorize again',
      )
    return issueTokens(deps, found, { generation: session.generation, nonce: null })
  }

  return {
    /** @throws OAuthError for an invalid code, refresh token or API key, and for an unknown grant type. */
    async token(form: TokenForm, client: RequestClient): Promise<OAuthTokens> {
      checkResource(form.resource, resources.mcp, resources.api)
      if (form.grant_type === 'authorization_code') return exchangeCode(form, client)
      if (form.grant_type === 'refresh_token') return exchangeRefreshToken(form)
      if (form.grant_type === 'client_credentials') return exchangeKey(deps, form, client)
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type must be authorization_code, refresh_token or client_credentials',
      )
    },

    /**
     * Ends the grant of a token (RFC 7009). An invalid token is ignored.
     * @throws OAuthError for a token of another client.
     */
    async revoke(form: TokenForm): Promise<void> {
      if (!form.token) throw new OAuthError('invalid_request', 'token is missing')
      if (isKeyClient(form))
        throw new OAuthError(
          'unsupported_token_type',
          'The token ends with its API key: revoke that',
        )
      await authenticateClient(db, form)
      const found = await findGrantOf(form.token, tokens, findGrant)
      if (!found) return
      if (!isGrantedTo(found.grant, form)) throw invalidGrant('The token belongs to another client')
      await sessions.end(db, found.grant.session.id)
    },
  }
}

/**
 * Turns a code into a grant. A code that is used again ends its grant (RFC 6749, section 4.1.2); an invalid
 * request uses the code up. An app may send its request twice, such as React in its strict mode: the repetition,
 * which knows the verifier, is refused and leaves the tokens of the first request alone.
 */
const redeemCode = async (
  tx: Db,
  sessions: TokenEndpointDeps['sessions'],
  found: LockedCode,
  { form, client }: { form: TokenForm; client: RequestClient },
) => {
  const { code, user } = found
  if (code.usedAt) {
    const isRepeated = found.usedSeconds < REPETITION_SECONDS && matchesCode(found, form)
    if (code.grantId && !isRepeated) await sessions.end(tx, code.grantId)
    return undefined
  }
  if (!found.isLive || !found.isAllowed || user.disabledAt || !matchesCode(found, form)) {
    await markCodeUsed(tx, code.codeHash, null)
    return undefined
  }
  const { clientId, orgId, clientName, scopes, nonce } = code
  const app = {
    ip: client.ip,
    userAgent: userAgentOfApp(clientName, scopes ? 'app' : 'MCP'),
    ...(scopes && !isOffline(scopes) && { seconds: GRANT_ACCESS_SECONDS }),
  }
  const sessionId = await sessions.open(tx, user, app, { sessionId: code.sessionId })
  await insertGrant(tx, {
    sessionId,
    userId: user.id,
    clientId,
    orgId,
    // A client of the MCP endpoint asks for no scopes: it gets those that the organization allows.
    ...(orgId && !scopes && { scopes: (await findKeyScopes(tx, orgId))?.keyScopes }),
    ...(scopes && {
      scopes: apiScopes(scopes),
      agreedScopes: scopes,
      signInId: code.sessionId,
      signedInAt: found.signedInAt,
    }),
  })
  await markCodeUsed(tx, code.codeHash, sessionId)
  return { sessionId, nonce }
}

const issueTokens = async (
  { tokens, openId }: Pick<TokenEndpointDeps, 'tokens' | 'openId'>,
  grant: FoundGrant,
  { generation, nonce }: { generation: number; nonce: string | null },
): Promise<OAuthTokens> => {
  const { agreedScopes: scopes, clientId } = grant
  const sessionId = grant.session.id
  const seconds = accessSeconds(grant.session.expiresAt)
  const [accessToken, refresh_token] = await Promise.all([
    tokens.access({ userId: grant.user.id, sessionId, clientId, scopes, seconds }),
    scopes && !isOffline(scopes) ? undefined : tokens.refresh({ sessionId, generation }),
  ])
  const provider = scopes?.includes('openid') ? openId() : undefined
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: seconds,
    ...(refresh_token && { refresh_token }),
    ...(provider &&
      scopes && { id_token: await provider.idToken(grant, { scopes, nonce, accessToken }) }),
    scope: (scopes ?? MCP_SCOPES).join(' '),
  }
}

/** A code is bound to its client, its redirect URI and the verifier (PKCE, RFC 7636). */
const matchesCode = ({ code }: LockedCode, form: TokenForm): boolean => {
  const verifier = form.code_verifier ?? ''
  return (
    form.client_id === code.clientId &&
    form.redirect_uri === code.redirectUri &&
    VERIFIER.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === code.codeChallenge
  )
}

const isGrantedTo = ({ clientId }: FoundGrant, form: TokenForm): boolean =>
  form.client_id === clientId

const invalidGrant = (description: string) => new OAuthError('invalid_grant', description)
