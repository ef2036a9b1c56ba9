import type { ChangeEmail } from '../../../shared/contract/email-change.ts'
import { changeEmail, confirmEmailChange, undoEmailChange } from '../../../shared/contract/index.ts'
import { MINUTE_MS } from '../../../shared/duration.ts'
import { type Database, type Db, isUniqueViolation } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { commonError, defineErrors } from '../../platform/http/error.ts'
import type { Limiter } from '../../platform/http/limits.ts'
import type { Mount } from '../../platform/http/route.ts'
import { type Mail, type Mailer, renderEmail } from '../../platform/mail/mailer.ts'
import type { SessionService } from '../access/sessions/service.ts'
import type { EndOfAccount } from '../deps.ts'
import type { JoinByDomain } from '../organizations/domains/join.ts'
import { ownsAddress } from '../organizations/domains/store.ts'
import { type NewAuditEntry, recordAudit } from '../users/audit/store.ts'
import { readEmail } from '../users/email-address.ts'
import { userError } from '../users/errors.ts'
import { lockUserExclusive } from '../users/lock.ts'
import type { Passwords } from '../users/passwords.ts'
import { findUser, findUserByEmail, lockUserForDelete, replaceEmail } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import { checkEnabled } from '../users/user.ts'
import { emailVerificationError } from './email-verification.ts'
import type { SignInGuard } from './guard/service.ts'
import { emailLinkLimit, isLinkToken, type LinkService } from './links/service.ts'
import { endLinks, isAddressHeld, type MailedLinkKind, revokeLinks } from './links/store.ts'
import { revokeMailedCodes } from './mailed-codes/store.ts'
import { endFactorSince } from './mfa/store.ts'
import { createPasswordCheck } from './password.ts'
import type { SignUpPolicyService } from './sign-up-policy.ts'

const emailChangeError = defineErrors({
  email_unchanged: { status: 400, detail: 'The account has this address already' },
  email_change_password_missing: { status: 400, detail: 'Password is required' },
  recent_sign_in_needed: {
    status: 403,
    detail:
      'Sign in again first: an account without a password needs a sign-in of the last 15 minutes',
  },
  email_managed: {
    status: 403,
    detail: 'Your organization manages this address; ask its administrator to change it',
  },
})

const RECENT_MS = 15 * MINUTE_MS

/** The account and the new or former address of a live link. */
export interface LinkedAddress {
  username: string
  email: string
}

/**
 * Changes verified addresses. The new address confirms a change of the user; the former one can undo it, and is held
 * for the account meanwhile.
 */
export type EmailChangeService = ReturnType<typeof createEmailChangeService>

interface EmailChangeDeps {
  database: Database
  mailer: Pick<Mailer, 'send'>
  limiter: Limiter
  passwords: Passwords
  links: LinkService
  sessions: Pick<SessionService, 'endAll'>
  guard: Pick<SignInGuard, 'clear'>
  signUpPolicy: Pick<SignUpPolicyService, 'checkChange'>
  joinByDomain: JoinByDomain
  /** End what opens the account, in lock order. */
  endCredentials: readonly EndOfAccount[]
}

export const createEmailChangeService = (deps: EmailChangeDeps) => {
  const { mailer, limiter, links, sessions, guard, signUpPolicy, joinByDomain } = deps
  const { db } = deps.database
  const checkPassword = createPasswordCheck(deps)

  /** @throws ApiError 400 for a missing or wrong password, 403 without a recent sign-in. */
  const checkUser = async (caller: Caller, password: string | undefined): Promise<void> => {
    const user = await findUser(db, caller.userId)
    if (!user) throw commonError('bad_credentials')
    if (user.passwordHash === null) {
      const signedInAt = caller.proof?.signedInAt.getTime() ?? 0
      if (Date.now() - signedInAt > RECENT_MS) throw emailChangeError('recent_sign_in_needed')
    } else if (!password) throw emailChangeError('email_change_password_missing')
    else await checkPassword(caller, password)
  }

  /** The user of a link is locked before the link is consumed. */
  const findOwner = async (kind: MailedLinkKind, token: string): Promise<string> => {
    if (!isLinkToken(token)) throw emailVerificationError('verification_token_malformed')
    const link = await links.find(db, kind, token)
    if (!link) throw emailVerificationError('verification_link_invalid')
    return link.userId
  }

  return {
    /**
     * Mails a link to the new address. The response does not show whether another account has it, whose user gets a
     * notice instead.
     * @throws ApiError 400 for an invalid address or a wrong password, 403 for an address at another domain than
     * those of the server, without a recent sign-in, or for an account that an organization manages, 429.
     */
    async request(
      caller: Caller,
      { email: address, password }: ChangeEmail,
      client: RequestClient,
    ): Promise<void> {
      const email = readEmail(address)
      if (email === caller.me.email) throw emailChangeError('email_unchanged')
      await signUpPolicy.checkChange(db, email, true)
      await checkUser(caller, password)
      await limiter.consume(emailLinkLimit, caller.userId)
      await db.transaction(async (tx) => {
        const user = await lockUserExclusive(tx, caller.userId)
        if (!user) throw commonError('bad_credentials')
        await checkNotManaged(tx, user)
        if (await findUserByEmail(tx, email)) await mailer.send(takenEmail(email), tx)
        else await links.mailChange(tx, user, email)
        await recordAudit(tx, {
          userId: user.id,
          action: 'email.change_requested',
          ip: client.ip,
          details: { to: email },
        })
      })
    },

    /** @returns undefined for a link that is not live. */
    describe: async (kind: 'change' | 'undo', token: string): Promise<LinkedAddress | undefined> =>
      isLinkToken(token) ? links.find(db, kind, token) : undefined,

    /**
     * @throws ApiError 400 for a malformed token, 403 as `request`, 409 when another account has the address, 410 for a
     * token that is used, expired or unknown.
     */
    async confirm(token: string, client: RequestClient): Promise<void> {
      const userId = await findOwner('change', token)
      await db.transaction(async (tx) => {
        const user = await lockUserExclusive(tx, userId)
        const link = user && (await links.consume(tx, 'change', token))
        if (!link) throw emailVerificationError('verification_link_invalid')
        checkEnabled(user)
        await checkNotManaged(tx, user)
        await signUpPolicy.checkChange(tx, link.email, true)
        const changed = await replace(tx, user, { email: link.email })
        await links.mailUndo(tx, changed, user.email)
        await recordAudit(tx, {
          userId,
          action: 'email.changed',
          ip: client.ip,
          details: { from: user.email, to: changed.email },
        })
        await joinByDomain(tx, changed)
      })
    },

    /**
     * Restores the former address. The person who changed it knew the password or used a session, so that all
     * credentials end, and a second factor that was added since. The user chooses a password by the link that is mailed.
     * @throws ApiError as `confirm`.
     */
    async undo(token: string, client: RequestClient): Promise<void> {
      const userId = await findOwner('undo', token)
      await db.transaction(async (tx) => {
        // Waits for requests of the person who changed it, and keeps them from adding anything.
        const user = (await lockUserForDelete(tx, userId)) && (await findUser(tx, userId))
        const link = user && (await links.consume(tx, 'undo', token))
        if (!link) throw emailVerificationError('verification_link_invalid')
        const restored = await replace(tx, user, { email: link.email, passwordHash: null })
        for (const end of deps.endCredentials) await end(tx, userId)
        await endFactorSince(tx, userId, link.createdAt)
        await sessions.endAll(tx, userId)
        await guard.clear(restored.email, tx)
        await links.mailReset(tx, userId, restored.email)
        if (user.email !== restored.email) await mailer.send(undoneEmail(user.email), tx)
        await recordAudit(tx, {
          userId,
          action: 'email.change_undone',
          ip: client.ip,
          details: { from: user.email, to: restored.email },
        })
      })
    },

    /**
     * Gives an account another address for an admin or an organization, in their transaction, which has locked the
     * user. It ends the links that would undo an earlier change.
     * @throws ApiError 409 when another account has the address.
     */
    async assign(
      tx: Db,
      user: UserRow,
      email: string,
      { paragraphs, details }: { paragraphs: readonly string[]; details: NewAuditEntry['details'] },
    ): Promise<UserRow> {
      const changed = await replace(tx, user, { email })
      for (const kind of ['change', 'undo'] as const) await endLinks(tx, kind, user.id)
      for (const to of [user.email, email])
        await mailer.send(assignedEmail(to, { from: user.email, email, paragraphs }), tx)
      await recordAudit(tx, {
        userId: user.id,
        action: 'email.changed',
        details: { from: user.email, to: email, ...details },
      })
      return changed
    },
  }
}

/** Ends what the former mailbox could open. @throws ApiError 409. */
const replace = async (tx: Db, user: UserRow, change: Parameters<typeof replaceEmail>[2]) => {
  const changed = await replaceEmail(tx, user.id, change).catch((error) => {
    throw isUniqueViolation(error) ? userError('email_taken') : error
  })
  if (!changed) throw emailVerificationError('verification_link_invalid')
  // After the update, which waited for a change of another account that was under way.
  if (await isAddressHeld(tx, change.email, user.id)) throw userError('email_taken')
  await revokeLinks(tx, user.id)
  await revokeMailedCodes(tx, user.id)
  return changed
}

/** @throws ApiError 403 for an account whose address an organization manages. */
const checkNotManaged = async (tx: Db, { managedByOrgId, email }: UserRow): Promise<void> => {
  if (managedByOrgId && (await ownsAddress(tx, managedByOrgId, email)))
    throw emailChangeError('email_managed')
}

const takenEmail = (to: string): Mail =>
  renderEmail({
    to,
    subject: 'Your email address was entered for another account',
    paragraphs: [
      'Hello,',
      `another account was to get the address ${to}, which your account has. Nothing changes.`,
      'If it was you, sign in to the account that has this address, or change its address first.',
    ],
  })

const undoneEmail = (to: string): Mail =>
  renderEmail({
    to,
    subject: 'The email address of an account was changed back',
    paragraphs: [
      'Hello,',
      `the change of an account to the address ${to} was undone at its former address. The account has its former address again, and you are signed out.`,
    ],
  })

const assignedEmail = (
  to: string,
  { from, email, paragraphs }: { from: string; email: string; paragraphs: readonly string[] },
): Mail =>
  renderEmail({
    to,
    subject: 'The email address of your account was changed',
    paragraphs: [
      'Hello,',
      `your account has the address ${email} now, and ${from} no more.`,
      ...paragraphs,
      'Your password and API keys stay the same. If this is wrong, ask the operator of the server.',
    ],
  })

export const emailChangeRoutes = (mount: Mount, changes: EmailChangeService): void => {
  mount(changeEmail, async ({ caller, body, client }) => {
    await changes.request(caller, body, client)
    return { message: 'Confirm the change with the link that was mailed to the new address' }
  })
  mount(confirmEmailChange, async ({ body, client }) => {
    await changes.confirm(body.token, client)
    return { message: 'Email address changed' }
  })
  mount(undoEmailChange, async ({ body, client }) => {
    await changes.undo(body.token, client)
    return {
      message: 'Email address restored; choose a new password with the link that was mailed',
    }
  })
}
