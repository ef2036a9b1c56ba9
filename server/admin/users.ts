import {
  type AdminUser,
  type AdminUserQuery,
  type AdminUsers,
  disableUser,
  enableUser,
  getUser,
  listUsers,
  type SetUserAdmin,
  type SetUserTier,
  setUserAdmin,
  setUserTier,
} from '../../shared/contract/admin.ts'
import type { SessionService } from '../account/access/sessions/service.ts'
import type { AuditService } from '../account/users/audit/service.ts'
import type { UserRow } from '../account/users/table.ts'
import { createIsAdmin, type IsAdmin } from '../account/users/user.ts'
import type { Database, Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { RequestClient } from '../platform/http/context.ts'
import type { Mount } from '../platform/http/route.ts'
import type { BillingAccounts } from '../usage/accounts/service.ts'
import { requireAdmin } from './admin-check.ts'
import { userAdminError } from './errors.ts'
import {
  findUserWithLastSeen,
  hasEnabledAdmin,
  listUserRows,
  lockAdministeredUser,
  lockAdmins,
  NOW,
  type UserColumns,
  type UserWithLastSeen,
  updateUser,
} from './users-store.ts'

export type UserAdminService = ReturnType<typeof createUserAdminService>

/** Lists the users of the server and changes them for admins. */
export const createUserAdminService = (
  database: Database,
  {
    accounts,
    adminEmails,
    ...changeDeps
  }: Omit<ChangeDeps, 'isAdmin'> & { accounts: Pick<BillingAccounts, 'lock' | 'grantTier'> },
) => {
  const { db } = database
  const isAdmin = createIsAdmin(adminEmails)
  const applyChange = createUserChange(database, { ...changeDeps, adminEmails, isAdmin })

  const present = (user: UserWithLastSeen): AdminUser => presentUser(user, isAdmin)

  const change: UserChanger<AdminUser> = async (request, userId, planOf, lockAlso) =>
    present(await applyChange(request, userId, planOf, lockAlso))

  return {
    /** A page of users, newest first; `q` matches a part of the email address or the names. */
    async list({ q, limit, cursor }: AdminUserQuery): Promise<AdminUsers> {
      const rows = await listUserRows(db, { part: q, limit: limit + 1, before: cursor })
      const page = rows.slice(0, limit)
      return {
        users: page.map(present),
        next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },

    /** @throws ApiError 404 for an unknown user. */
    get: async (userId: string): Promise<AdminUser> => present(await requireUser(db, userId)),

    /** Rejects the user's requests from now on and ends their sessions. @throws as `UserChanger`. */
    disable: (request: AdminRequest, userId: string): Promise<AdminUser> =>
      change(request, userId, ({ disabledAt, disabledByOrgId }) =>
        // An organization cannot enable again whom an admin disabled.
        disabledAt && !disabledByOrgId
          ? undefined
          : { columns: { disabledAt: NOW, disabledByOrgId: null }, action: 'user.disabled' },
      ),

    /** The user's API keys work again; sessions stay ended. @throws as `UserChanger`. */
    enable: (request: AdminRequest, userId: string): Promise<AdminUser> =>
      change(request, userId, ({ disabledAt }) =>
        disabledAt
          ? { columns: { disabledAt: null, disabledByOrgId: null }, action: 'user.enabled' }
          : undefined,
      ),

    /** Grants a tier that overrides the user's payments; null revokes it. @throws as `UserChanger`. */
    setTier: (
      request: AdminRequest,
      userId: string,
      { tier: grant }: SetUserTier,
    ): Promise<AdminUser> =>
      change(
        request,
        userId,
        async ({ tier: previousTier }, tx) => {
          const { tier, previousGrant } = await accounts.grantTier(tx, userId, grant)
          if (tier === previousTier && grant === previousGrant) return undefined
          const details = { from: previousTier, to: tier }
          return { columns: { tier }, action: 'user.tier_changed', details }
        },
        (tx) => accounts.lock(tx, userId),
      ),

    /** @throws ApiError 409 also for a user whom the configuration makes an admin. */
    setAdmin: (
      request: AdminRequest,
      userId: string,
      { is_admin }: SetUserAdmin,
    ): Promise<AdminUser> =>
      change(request, userId, (user) => {
        if (!is_admin && isAdmin({ ...user, isAdmin: false }))
          throw userAdminError('admin_by_configuration')
        if (user.isAdmin === is_admin) return undefined
        return {
          columns: { isAdmin: is_admin },
          action: is_admin ? 'admin.granted' : 'admin.revoked',
        }
      }),
  }
}

const presentUser = (user: UserWithLastSeen, isAdmin: IsAdmin): AdminUser => ({
  id: user.id,
  email: user.email,
  username: user.username,
  display_name: user.displayName,
  tier: user.tier,
  is_admin: isAdmin(user),
  email_verified: user.emailVerified,
  created_at: user.createdAt.toISOString(),
  last_seen_at: user.lastSeenAt?.toISOString() ?? null,
  disabled_at: user.disabledAt?.toISOString() ?? null,
})

/** @throws ApiError 404 for an unknown user. */
export const readUser = async (db: Db, userId: string, isAdmin: IsAdmin): Promise<AdminUser> =>
  presentUser(await requireUser(db, userId), isAdmin)

/** @throws ApiError 404 for an unknown user. */
const requireUser = async (db: Db, userId: string): Promise<UserWithLastSeen> => {
  const user = await findUserWithLastSeen(db, userId)
  if (!user) throw userAdminError('administered_user_not_found')
  return user
}

/** The admin who changes a user, and why. */
export interface AdminRequest {
  caller: Caller
  client: RequestClient
  reason: string | null | undefined
}

interface UserChange {
  columns: UserColumns
  action: 'user.disabled' | 'user.enabled' | 'user.tier_changed' | 'admin.granted' | 'admin.revoked'
  details?: Record<string, string>
}

interface ChangeDeps {
  sessions: Pick<SessionService, 'endAll'>
  audit: Pick<AuditService, 'record'>
  adminEmails: string[]
  isAdmin(user: UserRow): boolean
}

/**
 * Changes a user in one transaction. `planOf` returns undefined to change nothing; `lockAlso` takes locks
 * that come before those of users.
 * @throws ApiError 403 if the caller is no longer an admin, 404 for an unknown user, 409 if no enabled
 * admin would be left.
 */
type UserChanger<Result> = (
  request: AdminRequest,
  userId: string,
  planOf: (user: UserRow, tx: Db) => Promise<UserChange | undefined> | UserChange | undefined,
  lockAlso?: (tx: Db) => Promise<unknown>,
) => Promise<Result>

/** @returns a function that changes a user as `UserChanger` describes. */
const createUserChange = (
  { db }: Database,
  { sessions, audit, adminEmails, isAdmin }: ChangeDeps,
): UserChanger<UserWithLastSeen> => {
  const record = async (
    tx: Db,
    userId: string,
    { caller, client, reason }: AdminRequest,
    { action, details: changeDetails }: UserChange,
  ) => {
    const details = { ...changeDetails, ...(reason && { reason }) }
    const { ip } = client
    await audit.record(tx, { userId: caller.userId, action, subject: userId, ip, details })
    // The user sees the change and its reason, but not the admin's address.
    if (userId !== caller.userId) await audit.record(tx, { userId, action, details })
  }

  return async (request, userId, planOf, lockAlso) =>
    db.transaction(async (tx) => {
      await lockAdmins(tx)
      await lockAlso?.(tx)
      await requireAdmin(tx, request.caller, isAdmin)
      const user = await lockAdministeredUser(tx, userId)
      if (!user) throw userAdminError('administered_user_not_found')
      const change = await planOf(user, tx)
      if (change) {
        await updateUser(tx, userId, change.columns)
        if (!(await hasEnabledAdmin(tx, adminEmails))) throw userAdminError('last_admin')
        if (change.action === 'user.disabled') await sessions.endAll(tx, userId)
        await record(tx, userId, request, change)
      }
      return requireUser(tx, userId)
    })
}

export const userAdminRoutes = (mount: Mount, users: UserAdminService): void => {
  mount(listUsers, ({ query }) => users.list(query))
  mount(getUser, ({ params }) => users.get(params.user_id))
  mount(disableUser, ({ caller, client, params, body }) =>
    users.disable({ caller, client, reason: body.reason }, params.user_id),
  )
  mount(enableUser, ({ caller, client, params, body }) =>
    users.enable({ caller, client, reason: body.reason }, params.user_id),
  )
  mount(setUserTier, ({ caller, client, params, body }) =>
    users.setTier({ caller, client, reason: body.reason }, params.user_id, body),
  )
  mount(setUserAdmin, ({ caller, client, params, body }) =>
    users.setAdmin({ caller, client, reason: body.reason }, params.user_id, body),
  )
}
