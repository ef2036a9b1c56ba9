import { listApps, updateApp } from '../../../../shared/contract/index.ts'
import type { AuthorizedApp, UpdateApp } from '../../../../shared/contract/oauth-server.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError, defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockUserShared } from '../../users/lock.ts'
import type { IsAdmin } from '../../users/user.ts'
import { createCaller, limitsOf } from '../caller.ts'
import type { KeyService } from '../keys/service.ts'
import { type SessionService, sessionError } from '../sessions/service.ts'
import { signInOf } from '../sessions/store.ts'
import {
  type FoundGrant,
  type ListedGrant,
  listGrants,
  prepareFindGrant,
  updateGrant,
} from './store.ts'
import type { GrantTokens } from './tokens.ts'

const TOUCH_MS = 60_000

const grantError = defineErrors({
  grant_ended: { status: 401, detail: 'The authorization has ended. Authorize the app again.' },
})

/** Resolves access tokens of OAuth clients, and those of API keys, to callers. */
export type GrantAuthentication = ReturnType<typeof createGrantAuthentication>

export const createGrantAuthentication = (
  { db }: Database,
  tokens: Pick<GrantTokens, 'readAccess' | 'readAppAccess' | 'readRefresh'>,
  {
    sessions,
    keys,
  }: { sessions: Pick<SessionService, 'touch'>; keys: Pick<KeyService, 'callerOf'> },
  isAdmin: IsAdmin,
) => {
  const findGrant = prepareFindGrant(db)

  const claimsOf = async (reading: ReturnType<GrantTokens['readAccess']>) => {
    const read = await reading
    if (!read.ok && read.expired) throw commonError('token_expired')
    return read.ok ? read.claims : undefined
  }

  const find = async (claims: { sessionId: string } | undefined) => {
    if (!claims) return undefined
    const found = await findGrant(claims.sessionId)
    if (!found) throw grantError('grant_ended')
    if (found.pausedAt) throw commonError('credential_paused')
    const { session } = found
    if (session.lastSeenAt.getTime() < Date.now() - TOUCH_MS) await sessions.touch(session.id)
    return found
  }

  const callerOf = (
    { session, user, org, scopes, agreedScopes, facts }: FoundGrant,
    namedOrgId: string | null,
  ): Caller => {
    const client = session.userAgent ? appNameOf(session.userAgent) : undefined
    const credential = {
      user,
      org,
      sessionId: session.id,
      keyId: null,
      scopes,
      ...(client && { client }),
      isForOrg: org !== null,
      proof: { kind: 'app', ...signInOf(session), scopes } as const,
      facts,
    }
    const caller = createCaller(credential, namedOrgId, isAdmin)
    return agreedScopes ? { ...caller, isApp: true, trust: 'assistant' } : caller
  }

  return {
    /**
     * @returns undefined for a token of another kind.
     * @param namedOrgId the value of `X-Org-ID`, which cannot extend what the user has approved.
     * @param address gives that of the client, which an API key may limit.
     * @throws ApiError 401 for an expired token, and for one whose session has ended, 403 for an
     * organization other than the approved one.
     */
    async callerOf(
      token: string,
      namedOrgId: string | null,
      address: () => string,
    ): Promise<Caller | undefined> {
      const claims = await claimsOf(tokens.readAccess(token))
      if (claims?.keyId) return keys.callerOf(claims.keyId, namedOrgId, address)
      const found = await find(claims)
      return found && callerOf(found, namedOrgId)
    },

    /** The same for a token of an app, which uses the API. */
    async appCallerOf(token: string, namedOrgId: string | null): Promise<Caller | undefined> {
      const found = await find(await claimsOf(tokens.readAppAccess(token)))
      return found && callerOf(found, namedOrgId)
    },

    /** Finds the live grant of a token of any kind; the generation is that of a refresh token. */
    findByToken: (token: string) => findGrantOf(token, tokens, findGrant),

    /** Finds the grant of a token of an app. @throws ApiError as `callerOf`. */
    findApp: async (token: string): Promise<FoundGrant | undefined> =>
      find(await claimsOf(tokens.readAppAccess(token))),
  }
}

/** Finds the live grant of a token of any kind. */
export const findGrantOf = async (
  token: string,
  tokens: Pick<GrantTokens, 'readAccess' | 'readAppAccess' | 'readRefresh'>,
  findGrant: ReturnType<typeof prepareFindGrant>,
): Promise<{ grant: FoundGrant; generation: number | undefined } | undefined> => {
  const refresh = await tokens.readRefresh(token)
  const reads = refresh.ok ? [] : [tokens.readAccess(token), tokens.readAppAccess(token)]
  const read = refresh.ok ? refresh : (await Promise.all(reads)).find(({ ok }) => ok)
  const grant = read?.ok ? await findGrant(read.claims.sessionId) : undefined
  return grant && { grant, generation: refresh.ok ? refresh.claims.generation : undefined }
}

/** The OAuth clients that a user authorized for the MCP endpoint. Their access ends with their session. */
export type AppList = ReturnType<typeof createAppList>

export const createAppList = ({ db }: Database) => ({
  async list(caller: Caller): Promise<AuthorizedApp[]> {
    return (await listGrants(db, caller.userId)).map(present)
  },

  /** @throws ApiError 404 for no such app of the caller. */
  update(
    { userId }: Caller,
    sessionId: string,
    { scopes, paused }: UpdateApp,
  ): Promise<AuthorizedApp> {
    return db.transaction(async (tx) => {
      await lockUserShared(tx, userId)
      const isFound = await updateGrant(tx, userId, sessionId, {
        ...(scopes !== undefined && { scopes }),
        ...(paused !== undefined && { pausedAt: paused ? new Date() : null }),
      })
      const found = (await listGrants(tx, userId)).find(({ session }) => session.id === sessionId)
      if (!isFound || !found) throw sessionError('session_not_found')
      const app = present(found)
      await recordAudit(tx, {
        userId,
        action: 'oauth_client.changed',
        subject: app.client_id,
        details: {
          name: app.name,
          ...(app.scopes && { scopes: app.scopes.join(' ') }),
          ...(app.paused && { paused: true }),
        },
      })
      return app
    })
  },
})

const present = ({ session, clientId, org, ...limits }: ListedGrant): AuthorizedApp => ({
  session_id: session.id,
  client_id: clientId,
  name: appNameOf(session.userAgent ?? clientId),
  org,
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
  ...limitsOf(limits),
})

/** The session of a grant keeps the name of its client as the user agent, with what it uses. */
const APP_SUFFIX = / \((?:MCP|app)\)$/

export const userAgentOfApp = (clientName: string, uses: 'MCP' | 'app'): string =>
  `${clientName} (${uses})`

const appNameOf = (userAgent: string): string => userAgent.replace(APP_SUFFIX, '')

export const appRoutes = (mount: Mount, apps: AppList): void => {
  mount(listApps, ({ caller }) => apps.list(caller))
  mount(updateApp, ({ caller, params, body }) =>
    apps.update(caller, params.session_id.toLowerCase(), body),
  )
}
