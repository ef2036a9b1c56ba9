import {
  endImpersonation,
  type StartedImpersonation,
  type StartImpersonation,
  startImpersonation,
} from '../../shared/contract/impersonation.ts'
import type { ImpersonationService } from '../account/access/sessions/impersonation.ts'
import type { AuditService } from '../account/users/audit/service.ts'
import type { IsAdmin } from '../account/users/user.ts'
import type { Database, Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { RequestClient } from '../platform/http/context.ts'
import { defineErrors } from '../platform/http/error.ts'
import type { Mount } from '../platform/http/route.ts'
import { type Mail, type Mailer, renderEmail } from '../platform/mail/mailer.ts'
import { requireAdmin } from './admin-check.ts'
import { userAdminError } from './errors.ts'
import { lockAdministeredUser, lockAdmins } from './users-store.ts'

const impersonationError = defineErrors({
  impersonates_self: { status: 409, detail: 'This is your own account' },
  impersonates_admin: { status: 409, detail: 'The account of an admin cannot be used by another' },
  impersonates_disabled: { status: 409, detail: 'This account is disabled; enable it first' },
})

interface AdminImpersonationDeps {
  database: Database
  impersonations: ImpersonationService
  audit: Pick<AuditService, 'record'>
  mailer: Pick<Mailer, 'send'>
  isAdmin: IsAdmin
  baseUrl: string
}

interface ImpersonationRequest {
  caller: Caller
  client: RequestClient
  userId: string
}

/** Lets admins use the account of a user for some minutes. The user gets an email with the reason. */
export type AdminImpersonationService = ReturnType<typeof createAdminImpersonationService>

export const createAdminImpersonationService = ({
  database: { db },
  impersonations,
  audit,
  mailer,
  isAdmin,
  baseUrl,
}: AdminImpersonationDeps) => {
  const lockUser = async (tx: Db, userId: string) => {
    const user = await lockAdministeredUser(tx, userId)
    if (!user) throw userAdminError('administered_user_not_found')
    return user
  }

  return {
    /**
     * @throws ApiError 403 if the caller is no longer an admin, 404 for an unknown user, 409 for the caller,
     * another admin or a disabled user.
     */
    start: (
      { caller, client, userId }: ImpersonationRequest,
      { reason, minutes }: StartImpersonation,
    ): Promise<StartedImpersonation> =>
      db.transaction(async (tx) => {
        if (userId.toLowerCase() === caller.userId) throw impersonationError('impersonates_self')
        // A user who becomes an admin, and an admin who is disabled, wait for this transaction.
        await lockAdmins(tx)
        await requireAdmin(tx, caller, isAdmin)
        const user = await lockUser(tx, userId)
        if (isAdmin(user)) throw impersonationError('impersonates_admin')
        if (user.disabledAt) throw impersonationError('impersonates_disabled')
        const request = { admin: { id: caller.userId }, user, reason, minutes }
        const started = await impersonations.start(tx, request)
        await audit.record(tx, {
          userId: caller.userId,
          action: 'impersonation.started',
          subject: userId,
          ip: client.ip,
          details: { reason, minutes },
        })
        const { accessToken, sessionId, expiresAt } = started
        await mailer.send(noticeEmail(user.email, { reason, expiresAt, baseUrl }), tx)
        return {
          access_token: accessToken,
          token_type: 'bearer',
          session_id: sessionId,
          expires_at: expiresAt.toISOString(),
        }
      }),

    /** @throws ApiError 404 for an unknown user. */
    end: ({ caller, client, userId }: ImpersonationRequest): Promise<void> =>
      db.transaction(async (tx) => {
        await lockUser(tx, userId)
        const ended = await impersonations.end(tx, caller.userId, userId)
        if (ended.length > 0)
          await audit.record(tx, {
            userId: caller.userId,
            action: 'impersonation.ended',
            subject: userId,
            ip: client.ip,
          })
      }),
  }
}

const noticeEmail = (
  to: string,
  { reason, expiresAt, baseUrl }: { reason: string; expiresAt: Date; baseUrl: string },
): Mail =>
  renderEmail({
    to,
    subject: 'An admin uses your account',
    paragraphs: [
      'Hello,',
      `an admin of the server sees your account as you do, until ${expiresAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC at the latest.`,
      `The reason: ${reason}`,
      'Meanwhile the admin can read your data and use memories and conversations, but not write to other people, or change your password, keys or other settings of the account. You can end it in the list of your sessions.',
    ],
    link: { label: 'See your sessions', url: `${baseUrl}/app/connect/sessions` },
  })

export const impersonationRoutes = (
  mount: Mount,
  impersonations: AdminImpersonationService,
): void => {
  mount(startImpersonation, ({ caller, client, params, body }) =>
    impersonations.start({ caller, client, userId: params.user_id }, body),
  )
  mount(endImpersonation, async ({ caller, client, params }) => {
    await impersonations.end({ caller, client, userId: params.user_id })
    return undefined
  })
}
