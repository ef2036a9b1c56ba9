import {
  type AdminUser,
  type CreateUser,
  createUser,
  deleteUser,
  resetSecondFactor,
  type SetUserEmail,
  setUserEmail,
} from '../../shared/contract/admin.ts'
import type { AccountServices } from '../account/account.ts'
import type { DeletionService } from '../account/users/deletion.ts'
import { readEmail } from '../account/users/email-address.ts'
import type { UserRow } from '../account/users/table.ts'
import { createIsAdmin, type IsAdmin } from '../account/users/user.ts'
import type { Database, Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { RequestClient } from '../platform/http/context.ts'
import type { Mount } from '../platform/http/route.ts'
import { type Mail, type Mailer, renderEmail } from '../platform/mail/mailer.ts'
import { requireAdmin } from './admin-check.ts'
import { userAdminError } from './errors.ts'
import { readUser } from './users.ts'
import { lockAdministeredUser, lockAdmins } from './users-store.ts'

interface UserAccountDeps {
  database: Database
  mailer: Pick<Mailer, 'send'>
  baseUrl: string
  account: Pick<
    AccountServices,
    | 'audit'
    | 'sessions'
    | 'registration'
    | 'emailChanges'
    | 'links'
    | 'resetFactors'
    | 'signUpPolicy'
  >
  deletion: Pick<DeletionService, 'lock' | 'erase' | 'forget'>
  adminEmails: string[]
}

/** An admin, and the user whose account they change. */
interface AccountRequest {
  caller: Caller
  client: RequestClient
  userId: string
  reason: string
}

/**
 * Accounts that admins create, delete and open again. The user gets the reason by email. Of changes to an account
 * each @throws ApiError 403 if the caller is no longer an admin, 404 for an unknown user, 409 for the caller and for
 * another admin.
 */
export type UserAccountService = ReturnType<typeof createUserAccountService>

export const createUserAccountService = (deps: UserAccountDeps) => {
  const { account, deletion, mailer, baseUrl, adminEmails } = deps
  const isAdmin = createIsAdmin(adminEmails)
  const { audit, links, registration } = account
  const { db } = deps.database

  const change = createAccountChange(db, isAdmin)

  /** @throws ApiError 400, 409. */
  const readAddress = async (typed: string): Promise<string> => {
    const email = readEmail(typed)
    await account.signUpPolicy.checkReachable(email)
    if (adminEmails.includes(email)) throw userAdminError('address_of_admin')
    return email
  }

  const record = (
    tx: Db,
    { caller, client, reason }: Omit<AccountRequest, 'userId'>,
    action: 'user.created' | 'user.deleted' | 'user.email_changed' | 'mfa.reset',
    subject: string,
  ) =>
    audit.record(tx, {
      userId: caller.userId,
      action,
      subject,
      ip: client.ip,
      details: { reason },
    })

  return {
    /**
     * The account has a verified address and no password: the mailed link, or a sign-in that proves the mailbox, opens it.
     * @throws ApiError 400 for an invalid address, 409 for one that is taken or of `SVC_ADMIN_EMAILS`.
     */
    async create(
      request: Omit<AccountRequest, 'userId'>,
      { email: typed }: CreateUser,
    ): Promise<AdminUser> {
      const email = await readAddress(typed)
      const id = await db.transaction(async (tx) => {
        await lockAdmins(tx)
        await requireAdmin(tx, request.caller, isAdmin)
        const user = await registration.register(
          tx,
          { email, emailVerified: true, passwordHash: null },
          'operator',
          undefined,
        )
        await links.mailWelcome(tx, user, request.reason)
        await record(tx, request, 'user.created', user.id)
        return user.id
      })
      return readUser(db, id, isAdmin)
    },

    /** Does as the user who deletes the own account. @throws ApiError 409 also for the only owner of an organization. */
    async delete(request: AccountRequest): Promise<void> {
      await change(
        request,
        async (tx, user) => {
          await deletion.erase(tx, user)
          // After the erasure, which deletes the queued emails of the address.
          await mailer.send(deletedEmail(user.email, request.reason), tx)
          await record(tx, request, 'user.deleted', user.id)
        },
        deletion.lock,
      )
      await deletion.forget(request.userId)
    },

    /** Ends the second factor, passkeys and sessions. */
    resetSecondFactor: (request: AccountRequest): Promise<AdminUser> =>
      change(request, async (tx, user) => {
        await account.resetFactors(tx, user.id)
        await account.sessions.endAll(tx, user.id)
        await mailer.send(factorsResetEmail(user.email, request.reason, baseUrl), tx)
        await record(tx, request, 'mfa.reset', user.id)
        const { reason } = request
        await audit.record(tx, { userId: user.id, action: 'mfa.reset', details: { reason } })
        return readUser(tx, user.id, isAdmin)
      }),

    /** @throws ApiError also as `create`. */
    async setEmail(request: AccountRequest, { email: typed }: SetUserEmail): Promise<AdminUser> {
      const email = await readAddress(typed)
      return change(request, async (tx, user) => {
        if (email === user.email) return readUser(tx, user.id, isAdmin)
        const { reason } = request
        await account.emailChanges.assign(tx, user, email, {
          paragraphs: ['An admin of the server changed it.', `The reason: ${reason}`],
          details: { reason },
        })
        await record(tx, request, 'user.email_changed', user.id)
        return readUser(tx, user.id, isAdmin)
      })
    },
  }
}

/** Runs `work` for a user that it has locked. */
const createAccountChange =
  (db: Db, isAdmin: IsAdmin) =>
  <T>(
    { caller, userId }: AccountRequest,
    work: (tx: Db, user: UserRow) => Promise<T>,
    lock = lockAdministeredUser,
  ): Promise<T> =>
    db.transaction(async (tx) => {
      if (userId.toLowerCase() === caller.userId) throw userAdminError('administers_self')
      // A user who becomes an admin waits for this transaction.
      await lockAdmins(tx)
      await requireAdmin(tx, caller, isAdmin)
      const user = await lock(tx, userId)
      if (!user) throw userAdminError('administered_user_not_found')
      if (isAdmin(user)) throw userAdminError('administers_admin')
      return work(tx, user)
    })

const deletedEmail = (to: string, reason: string): Mail =>
  renderEmail({
    to,
    subject: 'Your account was deleted',
    paragraphs: [
      'Hello,',
      'an admin of the server deleted your account and all its data.',
      `The reason: ${reason}`,
    ],
  })

const factorsResetEmail = (to: string, reason: string, baseUrl: string): Mail =>
  renderEmail({
    to,
    subject: 'Your second factor was removed',
    paragraphs: [
      'Hello,',
      'an admin of the server removed the second factor and the passkeys of your account, and ended its sessions.',
      `The reason: ${reason}`,
      'Sign in with your password, or choose one with the link, and set up a second factor again. If you did not ask for this, tell the operator of the server.',
    ],
    link: { label: 'Choose a new password', url: `${baseUrl}/reset` },
  })

export const userAccountRoutes = (mount: Mount, accounts: UserAccountService): void => {
  mount(createUser, ({ caller, client, body }) =>
    accounts.create({ caller, client, reason: body.reason }, body),
  )
  mount(deleteUser, async ({ caller, client, params, body }) => {
    await accounts.delete({ caller, client, userId: params.user_id, reason: body.reason })
    return undefined
  })
  mount(resetSecondFactor, ({ caller, client, params, body }) =>
    accounts.resetSecondFactor({ caller, client, userId: params.user_id, reason: body.reason }),
  )
  mount(setUserEmail, ({ caller, client, params, body }) =>
    accounts.setEmail({ caller, client, userId: params.user_id, reason: body.reason }, body),
  )
}
