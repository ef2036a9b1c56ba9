import type { Scope } from '../../../../shared/contract/scopes.ts'
import type { Impersonation } from '../../../../shared/contract/sessions.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { findUser } from '../../users/store.ts'
import type { UserRow } from '../../users/table.ts'
import type { IsAdmin } from '../../users/user.ts'
import { insertImpersonation, revokeImpersonations } from './store.ts'
import type { SessionRow } from './table.ts'
import type { SessionTokens } from './tokens.ts'

/** An admin sees the account and uses it, but changes neither the account nor the server. */
export const IMPERSONATION_SCOPES: readonly Scope[] = [
  'memory:read',
  'memory:write',
  'chat',
  'account:read',
]

interface StartRequest {
  admin: Pick<UserRow, 'id'>
  user: UserRow
  reason: string
  minutes: number
}

/** Sessions of a user that an admin uses. They have no refresh token. */
export type ImpersonationService = ReturnType<typeof createImpersonationService>

export const createImpersonationService = (tokens: Pick<SessionTokens, 'access'>) => {
  /** Ends the sessions of a user that the admin uses. @returns their ids. */
  const end = async (tx: Db, adminId: string, userId: string): Promise<string[]> => {
    const ended = await revokeImpersonations(tx, adminId, userId)
    for (const subject of ended)
      await recordAudit(tx, { userId, action: 'impersonation.ended', subject })
    return ended
  }

  return {
    end,

    /** Opens a session and ends earlier ones of the same admin. */
    async start(
      tx: Db,
      { admin, user, reason, minutes }: StartRequest,
    ): Promise<{ accessToken: string; sessionId: string; expiresAt: Date }> {
      await end(tx, admin.id, user.id)
      const sessionId = Bun.randomUUIDv7()
      // The user does not see the address of the admin.
      const { expiresAt } = await insertImpersonation(tx, {
        id: sessionId,
        userId: user.id,
        minutes,
        impersonatorId: admin.id,
        impersonationReason: reason,
      })
      await recordAudit(tx, {
        userId: user.id,
        action: 'impersonation.started',
        subject: sessionId,
        details: { reason, minutes },
      })
      return {
        accessToken: await tokens.access({ userId: user.id, sessionId }),
        sessionId,
        expiresAt,
      }
    },
  }
}

/** The impersonation by which a session exists; undefined for a session of the user. */
export const impersonationOf = (session: SessionRow): Impersonation | undefined =>
  session.impersonatorId === null
    ? undefined
    : { reason: session.impersonationReason ?? '', expires_at: session.expiresAt.toISOString() }

/**
 * Whether the admin of an impersonation is an admin still, and the user is none. Other sessions are always
 * valid.
 */
export const createImpersonationCheck =
  ({ db }: Pick<Database, 'db'>, isAdmin: IsAdmin) =>
  async ({ impersonatorId }: SessionRow, user: UserRow): Promise<boolean> => {
    if (impersonatorId === null) return true
    if (isAdmin(user)) return false
    const admin = await findUser(db, impersonatorId)
    return admin !== undefined && admin.disabledAt === null && isAdmin(admin)
  }
