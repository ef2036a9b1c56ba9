import {
  changePassword,
  forgotPassword,
  removePassword,
  resetPassword,
} from '../../../shared/contract/index.ts'
import type { ChangePassword, ResetPassword } from '../../../shared/contract/password.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { ApiError, defineErrors } from '../../platform/http/error.ts'
import type { Limiter } from '../../platform/http/limits.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import type { SessionService } from '../access/sessions/service.ts'
import { recordAudit } from '../users/audit/store.ts'
import { isStorableEmail, normalizeEmail } from '../users/email-address.ts'
import { type Passwords, passwordCheckLimit } from '../users/passwords.ts'
import {
  findUser,
  findUserByEmail,
  lockSignInMethods,
  replacePassword,
  saveResetPassword,
} from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import type { SignInGuard } from './guard/service.ts'
import {
  emailLinkLimit,
  isLinkToken,
  type LinkService,
  passwordChangedEmail,
} from './links/service.ts'
import { awaitsTakeOver } from './links/store.ts'
import type { TakeOver } from './take-over.ts'

export const passwordError = defineErrors({
  reset_link_invalid: { status: 400, detail: 'This reset link is invalid or has expired' },
  current_password_wrong: { status: 400, detail: 'Current password is wrong' },
  reset_email_missing: { status: 400, detail: 'Email is required' },
  password_needed: {
    status: 400,
    detail: 'Add a passkey and turn on the second factor first: its recovery codes are needed',
  },
  new_password_too_short: {
    status: 400,
    detail: 'The password must have at least 8 characters',
  },
})

interface PasswordDeps {
  database: Database
  jobs: Jobs
  mailer: Mailer
  limiter: Limiter
  baseUrl: string
  links: LinkService
  sessions: Pick<SessionService, 'endAll'>
  guard: Pick<SignInGuard, 'clear'>
  passwords: Passwords
  takeOver: TakeOver
  /** Whether the account has what an account without a password needs: a passkey and recovery codes. */
  canRemovePassword: (tx: Db, userId: string) => Promise<boolean>
}

const RETRIES = 10

/** Resets and changes passwords. The API keys of a verified account stay valid. */
export type PasswordService = ReturnType<typeof startPasswordService>

export const startPasswordService = (deps: PasswordDeps) => {
  const { jobs, links, sessions, guard, passwords } = deps
  const { db } = deps.database

  const mailLink = createLinkJob(deps)
  jobs.work(mailLink)

  /** Checks a reset token without consuming it. */
  const isLive = async (token: string): Promise<boolean> =>
    isLinkToken(token) && links.isLive(db, 'reset', token)

  const checkPassword = createPasswordCheck(deps)

  return {
    /**
     * Mails a reset link if the account exists. A job does the lookup, so that the timing of the response
     * does not reveal which accounts exist.
     */
    async forgot(address: string): Promise<void> {
      const email = normalizeEmail(address)
      if (isStorableEmail(email)) await jobs.send(mailLink, { email })
    },

    /** Deletes the requests for an address within the transaction that deletes its account. */
    forget: (email: string, tx: Db): Promise<void> => jobs.forget(mailLink, { email }, tx),

    isLive,

    /**
     * Sets a new password, ends all sessions and unlocks sign-in. The mailed link also verifies the
     * address. If the address was not verified before, another person may have created the account: see
     * `TakeOver`.
     * @throws ApiError 400 for a common password and for a link that is not valid any more.
     */
    async reset({ token, password }: ResetPassword, client: RequestClient): Promise<void> {
      if (!(await isLive(token))) throw passwordError('reset_link_invalid')
      const passwordHash = await passwords.hash(password)
      await db.transaction(async (tx) => {
        const link = await links.consume(tx, 'reset', token)
        const known = link && (await findUser(tx, link.userId))
        if (!known) throw passwordError('reset_link_invalid')
        const mailbox = { userId: known.id, email: link.email, passwordHash }
        const isOwn =
          known.emailVerified && !(await awaitsTakeOver(tx, { id: known.id, email: link.email }))
        const user = isOwn
          ? await saveResetPassword(tx, mailbox)
          : await deps.takeOver(tx, mailbox, client)
        if (!user) throw passwordError('reset_link_invalid')
        if (isOwn) await sessions.endAll(tx, user.id)
        await guard.clear(user.email, tx)
        await recordChange(tx, deps, user, { action: 'password.reset', client })
      })
    },

    /**
     * Changes the password and ends the other sessions. An attempt is counted before it is made.
     * @throws ApiError 400 for a wrong password and for a common new one, 429 after ten wrong passwords.
     */
    async change(caller: Caller, body: ChangePassword, client: RequestClient): Promise<void> {
      const known = await checkPassword(caller, body.current_password)
      const passwordHash = await passwords.hash(body.new_password)
      await db.transaction(async (tx) => {
        const user = await replacePassword(tx, caller.userId, known, passwordHash)
        if (!user) throw passwordError('current_password_wrong')
        await sessions.endAll(tx, user.id, caller.sessionId)
        await recordChange(tx, deps, user, { action: 'password.changed', client })
      })
    },

    /**
     * Removes the password and ends the other sessions. A mailed link can set a new one.
     * @throws ApiError 400 for a wrong password and for an account without a passkey and recovery codes, 429
     * after ten wrong passwords.
     */
    async remove(caller: Caller, currentPassword: string, client: RequestClient): Promise<void> {
      const known = await checkPassword(caller, currentPassword)
      await db.transaction(async (tx) => {
        await lockSignInMethods(tx, caller.userId)
        if (!(await deps.canRemovePassword(tx, caller.userId)))
          throw passwordError('password_needed')
        const user = await replacePassword(tx, caller.userId, known, null)
        if (!user) throw passwordError('current_password_wrong')
        await sessions.endAll(tx, user.id, caller.sessionId)
        await recordChange(tx, deps, user, { action: 'password.removed', client })
      })
    },
  }
}

/**
 * Counts an attempt before it is made.
 * @returns the hash of the correct password.
 * @throws ApiError 400 for a wrong password, 429 after ten of them.
 */
export const createPasswordCheck =
  ({
    database: { db },
    limiter,
    passwords,
  }: Pick<PasswordDeps, 'database' | 'limiter' | 'passwords'>) =>
  async ({ userId }: Pick<Caller, 'userId'>, password: string): Promise<string> => {
    await limiter.consume(passwordCheckLimit, userId)
    const known = (await findUser(db, userId))?.passwordHash ?? null
    if (!(await passwords.verify(password, known)) || known === null)
      throw passwordError('current_password_wrong')
    await limiter.refund(passwordCheckLimit, userId)
    return known
  }

/** Mails a reset link, unless the address has no account or received too many links. */
const createLinkJob = ({
  database: { db },
  limiter,
  links,
}: PasswordDeps): JobKind<{ email: string }> => {
  const mayMail = (userId: string): Promise<boolean> =>
    limiter.consume(emailLinkLimit, userId).then(
      () => true,
      (error) => {
        if (error instanceof ApiError) return false
        throw error
      },
    )

  return {
    name: 'password-reset',
    retries: RETRIES,
    async run({ email }) {
      const user = await findUserByEmail(db, email)
      if (user && (await mayMail(user.id)))
        await db.transaction((tx) => links.mailReset(tx, user.id, email))
    },
  }
}

/** Records a new or removed password and notifies the owner of the account. */
const recordChange = async (
  tx: Db,
  { mailer, baseUrl }: Pick<PasswordDeps, 'mailer' | 'baseUrl'>,
  user: UserRow,
  {
    action,
    client,
  }: { action: `password.${'reset' | 'changed' | 'removed'}`; client: RequestClient },
): Promise<void> => {
  await recordAudit(tx, { userId: user.id, action, ip: client.ip })
  const change = action === 'password.removed' ? 'removed' : 'changed'
  const notice = { at: new Date(), ip: client.ip, url: `${baseUrl}/reset`, change } as const
  await mailer.send(passwordChangedEmail(user.email, notice), tx)
}

export const passwordRoutes = (mount: Mount, passwords: PasswordService): void => {
  mount(forgotPassword, async ({ body }) => {
    await passwords.forgot(body.email)
    return { message: 'If an account has this address, a reset link was sent to it' }
  })
  mount(resetPassword, async ({ body, client }) => {
    await passwords.reset(body, client)
    return { message: 'Password changed; sign in with the new password' }
  })
  mount(changePassword, async ({ caller, body, client }) => {
    await passwords.change(caller, body, client)
    return { message: 'Password changed' }
  })
  mount(removePassword, async ({ caller, body, client }) => {
    await passwords.remove(caller, body.current_password, client)
    return { message: 'Password removed; sign in with a passkey' }
  })
}
