import type { SessionService } from '../../account/access/sessions/service.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/route.ts'
import { userAdminError } from './errors.ts'
import {
  findUserWithLastSeen,
  hasEnabledAdmin,
  lockAdministeredUser,
  lockAdmins,
  type UserWithLastSeen,
  updateUser,
} from './store.ts'

/** @throws ApiError 404 for an unknown user. */
export const requireUser = async (db: Db, userId: string): Promise<UserWithLastSeen> => {
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
  columns: Parameters<typeof updateUser>[2]
  action: 'user.disabled' | 'user.enabled' | 'user.tier_changed' | 'admin.granted' | 'admin.revoked'
  details?: Record<string, string>
}

export interface ChangeDeps {
  sessions: Pick<SessionService, 'endAll'>
  audit: Pick<AuditService, 'record'>
  adminEmails: string[]
  isAdmin(user: UserRow): boolean
}

/**
 * @returns a function that changes a user in one transaction. `planOf` returns undefined to change
 * nothing; `lockAlso` takes locks that come before those of users. It throws an ApiError 403 if the
 * caller is no longer an admin, 404 for an unknown user, 409 if no enabled admin would be left.
 */
export const createUserChange = (
  { db }: Database,
  { sessions, audit, adminEmails, isAdmin }: ChangeDeps,
) => {
  /** Another admin may have revoked the caller's rights while this request waited for the lock. */
  const requireAdmin = async (tx: Db, { userId }: Caller): Promise<void> => {
    const user = await lockAdministeredUser(tx, userId)
    if (!user || user.disabledAt || !isAdmin(user)) throw userAdminError('admin_revoked')
  }

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

  return async (
    request: AdminRequest,
    userId: string,
    planOf: (user: UserRow, tx: Db) => Promise<UserChange | undefined> | UserChange | undefined,
    lockAlso: (tx: Db) => Promise<unknown> = async () => {},
  ): Promise<UserWithLastSeen> =>
    db.transaction(async (tx) => {
      await lockAdmins(tx)
      await lockAlso(tx)
      await requireAdmin(tx, request.caller)
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
