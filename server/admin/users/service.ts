import { sql } from 'drizzle-orm'
import { errorText } from '../../../shared/errors.ts'
import type {
  AdminUser,
  AdminUserQuery,
  AdminUsers,
  SetUserAdmin,
  SetUserTier,
} from '../../../shared/schemas/admin.ts'
import type { AuditService } from '../../account/audit/service.ts'
import type { SessionService } from '../../account/sessions/service.ts'
import { adminsAmong } from '../../account/users/admin.ts'
import type { UserRow } from '../../account/users/table.ts'
import type { AccountService } from '../../billing/accounts/service.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import {
  changeUser,
  findSeenUser,
  hasEnabledAdmin,
  holdUser,
  listUsers,
  type SeenUser,
  takeAdminsTurn,
} from './store.ts'

/** What an admin does to somebody, as both their audit trails tell it. */
interface Change {
  columns: Parameters<typeof changeUser>[2]
  action: 'user.disabled' | 'user.enabled' | 'user.tier_changed' | 'admin.granted' | 'admin.revoked'
  details?: Record<string, string>
}

/** The admin who does it, and why. */
export interface Act {
  caller: Caller
  client: Client
  reason: string | null | undefined
}

export type UserAdministration = ReturnType<typeof createUserAdministration>

/** What admins see of the people on this server, and do to them. */
export const createUserAdministration = (
  { db }: Database,
  {
    sessions,
    audit,
    accounts,
    adminEmails,
  }: {
    sessions: Pick<SessionService, 'endAll'>
    audit: Pick<AuditService, 'record'>
    accounts: Pick<AccountService, 'hold' | 'giveTier'>
    adminEmails: string[]
  },
) => {
  const isAdmin = adminsAmong(adminEmails)

  const found = async (userId: string): Promise<AdminUser> => {
    const user = await findSeenUser(db, userId)
    if (!user) throw userNotFound()
    return present(user)
  }

  const present = (user: SeenUser): AdminUser => ({
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

  /** Somebody may have taken the caller's place while this request waited for its turn. */
  const requireAdmin = async (tx: Db, { userId }: Caller): Promise<void> => {
    const user = await holdUser(tx, userId)
    if (!user || user.disabledAt || !isAdmin(user)) throw new ApiError(403, errorText.adminOnly)
  }

  const record = async (
    tx: Db,
    userId: string,
    { caller, client, reason }: Act,
    change: Change,
  ) => {
    const details = { ...change.details, ...(reason && { reason }) }
    const { action } = change
    const { ip } = client
    await audit.record(tx, { userId: caller.userId, action, subject: userId, ip, details })
    // The person reads what was done and why, not from where.
    if (userId !== caller.userId) await audit.record(tx, { userId, action, details })
  }

  /**
   * Changes a user as `plan` says, who is left as they are where it says nothing.
   * @throws ApiError 404 for nobody, 409 when no admin would be left who is let in.
   */
  const change = async (
    act: Act,
    userId: string,
    plan: (user: UserRow, tx: Db) => Promise<Change | undefined> | Change | undefined,
    /** What `plan` takes besides, in the order in which others take it. */
    first: (tx: Db) => Promise<unknown> = async () => {},
  ): Promise<AdminUser> => {
    await db.transaction(async (tx) => {
      await first(tx)
      await takeAdminsTurn(tx)
      await requireAdmin(tx, act.caller)
      const user = await holdUser(tx, userId)
      if (!user) throw userNotFound()
      const planned = await plan(user, tx)
      if (!planned) return
      await changeUser(tx, userId, planned.columns)
      if (!(await hasEnabledAdmin(tx, adminEmails)))
        throw new ApiError(409, 'This is the last admin; make somebody else one first')
      if (planned.action === 'user.disabled') await sessions.endAll(tx, userId)
      await record(tx, userId, act, planned)
    })
    return found(userId)
  }

  return {
    /** A page of users, newest first; with `q` those whose address or names have it in them. */
    async list({ q, limit, cursor }: AdminUserQuery): Promise<AdminUsers> {
      const rows = await listUsers(db, { part: q, limit: limit + 1, before: cursor })
      const page = rows.slice(0, limit)
      return {
        users: page.map(present),
        next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      }
    },

    /** @throws ApiError 404 for nobody. */
    get: found,

    /** Keeps somebody out from their next request on, and ends their sessions. @throws ApiError as `change` does. */
    disable: (act: Act, userId: string): Promise<AdminUser> =>
      change(act, userId, ({ disabledAt }) =>
        disabledAt ? undefined : { columns: { disabledAt: sql`now()` }, action: 'user.disabled' },
      ),

    /** Lets somebody in again: they sign in anew, and their keys are good as before. */
    enable: (act: Act, userId: string): Promise<AdminUser> =>
      change(act, userId, ({ disabledAt }) =>
        disabledAt ? { columns: { disabledAt: null }, action: 'user.enabled' } : undefined,
      ),

    /** Gives somebody a tier that goes before what they pay for, or with null the one that follows from that. */
    setTier: (act: Act, userId: string, { tier: given }: SetUserTier): Promise<AdminUser> =>
      change(
        act,
        userId,
        async ({ tier: before }, tx) => {
          const { tier, givenBefore } = await accounts.giveTier(tx, userId, given)
          if (tier === before && given === givenBefore) return undefined
          return {
            columns: { tier },
            action: 'user.tier_changed',
            details: { from: before, to: tier },
          }
        },
        (tx) => accounts.hold(tx, userId),
      ),

    /** @throws ApiError 409 also for somebody whom the configuration makes an admin. */
    setAdmin: (act: Act, userId: string, { is_admin }: SetUserAdmin): Promise<AdminUser> =>
      change(act, userId, (user) => {
        if (!is_admin && isAdmin({ ...user, isAdmin: false })) throw adminByConfiguration()
        if (user.isAdmin === is_admin) return undefined
        return {
          columns: { isAdmin: is_admin },
          action: is_admin ? 'admin.granted' : 'admin.revoked',
        }
      }),
  }
}

const userNotFound = () => new ApiError(404, 'User not found')

const adminByConfiguration = () =>
  new ApiError(409, 'SVC_ADMIN_EMAILS makes this account an admin; take its address out there')
