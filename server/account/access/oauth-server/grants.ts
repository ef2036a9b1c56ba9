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
import { type SessionService, sessionError } from '../sessions/service.ts'
import { type ListedGrant, listGrants, prepareFindGrant, updateGrant } from './store.ts'
import type { GrantTokens } from './tokens.ts'

const TOUCH_MS = 60_000

const grantError = defineErrors({
  grant_ended: { status: 401, detail: 'The authorization has ended. Authorize the app again.' },
})

/** Resolves access tokens of OAuth clients to callers. */
export interface GrantAuthentication {
  /**
   * @returns undefined for a token of another kind.
   * @param namedOrgId the value of `X-Org-ID`, which cannot extend what the user has approved.
   * @throws ApiError 401 for an expired token, and for one whose session has ended, 403 for an
   * organization other than the approved one.
   */
  callerOf(token: string, namedOrgId: string | null): Promise<Caller | undefined>
}

export const createGrantAuthentication = (
  { db }: Database,
  tokens: Pick<GrantTokens, 'readAccess'>,
  sessions: Pick<SessionService, 'touch'>,
  isAdmin: IsAdmin,
): GrantAuthentication => {
  const findGrant = prepareFindGrant(db)

  return {
    async callerOf(token, namedOrgId) {
      const read = await tokens.readAccess(token)
      if (!read.ok && read.expired) throw commonError('token_expired')
      if (!read.ok) return undefined
      const found = await findGrant(read.claims.sessionId)
      if (!found) throw grantError('grant_ended')
      if (found.pausedAt) throw commonError('credential_paused')
      const { session, user, org, scopes } = found
      if (session.lastSeenAt.getTime() < Date.now() - TOUCH_MS) await sessions.touch(session.id)
      const isForOrg = org !== null
      const client = session.userAgent ? appNameOf(session.userAgent) : undefined
      return createCaller(
        {
          user,
          org,
          sessionId: session.id,
          keyId: null,
          ...(client && { client }),
          isForOrg,
          scopes,
        },
        namedOrgId,
        isAdmin,
      )
    },
  }
}

/** The OAuth clients that a user authorized. Their access ends with their session. */
export interface AppList {
  list(caller: Caller): Promise<AuthorizedApp[]>
  /** @throws ApiError 404 for no such app of the caller. */
  update(caller: Caller, sessionId: string, change: UpdateApp): Promise<AuthorizedApp>
}

export const createAppList = ({ db }: Database): AppList => ({
  async list(caller) {
    return (await listGrants(db, caller.userId)).map(present)
  },

  update({ userId }, sessionId, { scopes, paused }) {
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
        ...{ userId, action: 'oauth_client.changed', subject: app.client_id },
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

/** The session of a grant keeps the name of its client as the user agent. */
const APP_SUFFIX = ' (MCP)'

export const userAgentOfApp = (clientName: string): string => `${clientName}${APP_SUFFIX}`

const appNameOf = (userAgent: string): string =>
  userAgent.endsWith(APP_SUFFIX) ? userAgent.slice(0, -APP_SUFFIX.length) : userAgent

export const appRoutes = (mount: Mount, apps: AppList): void => {
  mount(listApps, ({ caller }) => apps.list(caller))
  mount(updateApp, ({ caller, params, body }) =>
    apps.update(caller, params.session_id.toLowerCase(), body),
  )
}
