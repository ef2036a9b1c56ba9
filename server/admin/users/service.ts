import type {
  AdminUser,
  AdminUserQuery,
  AdminUsers,
  SetUserAdmin,
  SetUserTier,
} from '../../../shared/contract/admin.ts'
import { createIsAdmin } from '../../account/users/user.ts'
import type { AccountService } from '../../billing/accounts/service.ts'
import type { Database } from '../../platform/db/database.ts'
import { type AdminRequest, type ChangeDeps, createUserChange, requireUser } from './change.ts'
import { userAdminError } from './errors.ts'
import { listUserRows, NOW, type UserWithLastSeen } from './store.ts'

export type UserAdminService = ReturnType<typeof createUserAdminService>

/** Lists the users of the server and changes them for admins. */
export const createUserAdminService = (
  database: Database,
  {
    accounts,
    adminEmails,
    ...changeDeps
  }: Omit<ChangeDeps, 'isAdmin'> & { accounts: Pick<AccountService, 'lock' | 'grantTier'> },
) => {
  const { db } = database
  const isAdmin = createIsAdmin(adminEmails)
  const applyChange = createUserChange(database, { ...changeDeps, adminEmails, isAdmin })

  const present = (user: UserWithLastSeen): AdminUser => ({
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

  const change = async (...args: Parameters<typeof applyChange>): Promise<AdminUser> =>
    present(await applyChange(...args))

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

    /** Rejects the user's requests from now on and ends their sessions. @throws as `createUserChange`. */
    disable: (request: AdminRequest, userId: string): Promise<AdminUser> =>
      change(request, userId, ({ disabledAt }) =>
        disabledAt ? undefined : { columns: { disabledAt: NOW }, action: 'user.disabled' },
      ),

    /** The user's API keys work again; sessions stay ended. @throws as `createUserChange`. */
    enable: (request: AdminRequest, userId: string): Promise<AdminUser> =>
      change(request, userId, ({ disabledAt }) =>
        disabledAt ? { columns: { disabledAt: null }, action: 'user.enabled' } : undefined,
      ),

    /** Grants a tier that overrides the user's payments; null revokes it. @throws as `createUserChange`. */
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
