import { createHash } from 'node:crypto'
import { errorText } from '../../../shared/errors.ts'
import type { GrantedTokens } from '../../../shared/schemas/programs.ts'
import { actingIn } from '../../people/orgs/acting.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { hashSecret } from '../keys/token.ts'
import type { SessionService } from '../sessions/service.ts'
import type { IsAdmin } from '../users/admin.ts'
import { presentCurrentUser } from '../users/present.ts'
import { OAuthError } from './failure.ts'
import { SCOPES } from './metadata.ts'
import { checkResource } from './request.ts'
import {
  type FoundGrant,
  insertGrant,
  type LockedCode,
  lockCode,
  markUsed,
  prepareFindGrant,
} from './store.ts'
import { GRANT_ACCESS_SECONDS, type GrantTokens } from './tokens.ts'

/**
 * How long a refresh token that was used is answered again, while its successor has not been used.
 * Refresh tokens of clients without a secret are rotated, and one that was used before ends the grant,
 * because nobody knows which of its two holders stole it (RFC 9700, sections 2.2.2 and 4.14.2; OAuth
 * 2.1, section 4.3.1). These say nothing of an answer that was lost, or of two windows that refresh at
 * once with the token they share, so identity providers leave a grace (Okta and Amazon Cognito of a
 * minute at most). Within it a theft is not noticed: it is short, and of the predecessor alone.
 */
const REFRESH_GRACE_SECONDS = 30

const VERIFIER = /^[\w.~-]{43,128}$/

/** The fields of a form that a program sends. */
export type Form = Readonly<Record<string, string | undefined>>

export interface GrantingSurroundings {
  database: Database
  sessions: Pick<SessionService, 'open' | 'advance' | 'touch' | 'end'>
  tokens: GrantTokens
  isAdmin: IsAdmin
  /** What the tokens are good for. */
  resource: string
}

/** What programs get for what a person let them do: a session of the person's, with tokens of its own. */
export const createGranting = (surroundings: GrantingSurroundings) => {
  const { sessions, tokens, isAdmin, resource } = surroundings
  const { db } = surroundings.database
  const findGrant = prepareFindGrant(db)

  const issue = async (
    grant: { userId: string; sessionId: string; clientId: string },
    generation: number,
  ): Promise<GrantedTokens> => {
    const { sessionId } = grant
    const [access_token, refresh_token] = await Promise.all([
      tokens.access(grant),
      tokens.refresh({ sessionId, generation }),
    ])
    return {
      access_token,
      token_type: 'Bearer',
      expires_in: GRANT_ACCESS_SECONDS,
      refresh_token,
      scope: SCOPES.join(' '),
    }
  }

  /** Makes a session of a code that is good; whatever is wrong with it uses it up. */
  const redeem = async (tx: Db, found: LockedCode, form: Form, client: Client) => {
    const { code, user } = found
    if (code.usedAt) {
      if (code.grantId) await sessions.end(tx, code.grantId)
      return undefined
    }
    if (!found.isLive || !found.isMember || user.disabledAt || !isBound(found, form)) {
      await markUsed(tx, code.codeHash, null)
      return undefined
    }
    const { clientId, orgId, clientName } = code
    const sessionId = await sessions.open(tx, user, {
      ip: client.ip,
      userAgent: `${clientName} (MCP)`,
    })
    const grant = { userId: user.id, sessionId, clientId }
    await insertGrant(tx, { ...grant, orgId })
    await markUsed(tx, code.codeHash, sessionId)
    return grant
  }

  const byCode = async (form: Form, client: Client): Promise<GrantedTokens> => {
    for (const name of ['code', 'client_id', 'redirect_uri', 'code_verifier'])
      if (!form[name]) throw new OAuthError('invalid_request', `${name} is missing`)
    const grant = await db.transaction(async (tx) => {
      const found = await lockCode(tx, hashSecret(form.code ?? ''))
      return found && redeem(tx, found, form, client)
    })
    if (!grant) throw badGrant('The code is not good, or not any more')
    return issue(grant, 0)
  }

  const byRefresh = async (form: Form): Promise<GrantedTokens> => {
    if (!form.refresh_token) throw new OAuthError('invalid_request', 'refresh_token is missing')
    const read = await tokens.readRefresh(form.refresh_token)
    const found = read.ok ? await findGrant(read.claims.sessionId) : undefined
    if (!read.ok || !found || !isOf(found, form)) throw badGrant('Sign in again')
    const { sessionId } = read.claims
    const session = await sessions.advance(read.claims, REFRESH_GRACE_SECONDS)
    if (!session)
      throw badGrant('This refresh token was used before, so its sign-in is ended. Sign in again')
    const { user, clientId } = found
    return issue({ userId: user.id, sessionId, clientId }, session.generation)
  }

  return {
    /** @throws OAuthError for a code or refresh token that is not good, and for any other grant. */
    async token(form: Form, client: Client): Promise<GrantedTokens> {
      checkResource(form.resource, resource)
      if (form.grant_type === 'authorization_code') return byCode(form, client)
      if (form.grant_type === 'refresh_token') return byRefresh(form)
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
    },

    /**
     * Ends the sign-in that a token is of (RFC 7009). Nothing is told of one that is not good.
     * @throws OAuthError when it is another program's.
     */
    async revoke(form: Form): Promise<void> {
      if (!form.token) throw new OAuthError('invalid_request', 'token is missing')
      const [refresh, access] = [
        await tokens.readRefresh(form.token),
        await tokens.readAccess(form.token),
      ]
      const read = refresh.ok ? refresh : access
      const found = read.ok ? await findGrant(read.claims.sessionId) : undefined
      if (!found) return
      if (!isOf(found, form)) throw badGrant('The token is of another program')
      await sessions.end(db, found.session.id)
    },

    /**
     * Who a token of this server's resource belongs to.
     * @returns undefined for a token of another kind.
     * @throws ApiError 401 for one that has expired, or whose sign-in has ended.
     */
    async callerOf(token: string): Promise<Caller | undefined> {
      const read = await tokens.readAccess(token)
      if (!read.ok && read.expired) throw new ApiError(401, errorText.tokenExpired)
      if (!read.ok) return undefined
      const found = await findGrant(read.claims.sessionId)
      if (!found) throw new ApiError(401, 'The sign-in has ended')
      if (found.session.lastSeenAt.getTime() < Date.now() - 60_000)
        await sessions.touch(found.session.id)
      return grantCaller(found)
    },
  }

  function grantCaller({ session, user, acting }: FoundGrant): Caller {
    const { ownerId, org } = actingIn(user.id, acting, null)
    return {
      userId: user.id,
      ownerId,
      sessionId: session.id,
      keyId: null,
      isForOrg: org !== null,
      timezone: user.timezone,
      me: { ...presentCurrentUser(user, isAdmin), tier: user.tier, credential: 'jwt', org },
    }
  }
}

/** A code is good for who asked for it, where they asked, and for who knows the verifier (RFC 7636). */
const isBound = ({ code }: LockedCode, form: Form): boolean => {
  const verifier = form.code_verifier ?? ''
  return (
    form.client_id === code.clientId &&
    form.redirect_uri === code.redirectUri &&
    VERIFIER.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === code.codeChallenge
  )
}

const isOf = ({ clientId }: FoundGrant, form: Form): boolean => form.client_id === clientId

const badGrant = (why: string) => new OAuthError('invalid_grant', why)
