import type { ChangePassword, ResetPassword } from '../../../shared/schemas/password.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Client } from '../../platform/http/route.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { recordAudit } from '../audit/store.ts'
import { passwordChangedLetter } from '../links/letters.ts'
import { isLinkToken, type LinkService } from '../links/service.ts'
import type { SessionService } from '../sessions/service.ts'
import { couldBeEmail, normalizeEmail } from '../users/email.ts'
import type { Passwords } from '../users/passwords.ts'
import { findUser, findUserByEmail, replacePassword, resetPassword } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'

export interface PasswordSurroundings {
  database: Database
  jobs: Jobs
  mailer: Mailer
  limits: Limits
  baseUrl: string
  links: LinkService
  sessions: SessionService
  passwords: Passwords
  /** Take away what was set up on an account, so that only its owner can come in. */
  disown: ((tx: Db, userId: string) => Promise<void>)[]
}

const RETRIES = 10

export type PasswordService = Awaited<ReturnType<typeof startPasswordService>>

/** Forgotten and changed passwords. API keys of a verified account are credentials of their own, and outlive both. */
export const startPasswordService = async (surroundings: PasswordSurroundings) => {
  const { jobs, mailer, limits, baseUrl, links, sessions, passwords, disown } = surroundings
  const { db } = surroundings.database

  const mailLink: JobKind<{ email: string }> = {
    name: 'password-reset',
    retries: RETRIES,
    async run({ email }) {
      const user = await findUserByEmail(db, email)
      if (user && (await mayMail(user.id)))
        await db.transaction((tx) => links.mailReset(tx, user.id, email))
    },
  }
  await jobs.work(mailLink)

  const mayMail = (userId: string): Promise<boolean> =>
    limits.mailedLinks.take(userId).then(
      () => true,
      (error) => {
        if (error instanceof ApiError) return false
        throw error
      },
    )

  /** Whether a reset link can still be used. */
  const isLive = async (token: string): Promise<boolean> =>
    isLinkToken(token) && links.isLive(db, 'reset', token)

  /** What follows a new password, whichever way it came. */
  const settle = async (
    tx: Db,
    user: UserRow,
    action: 'password.reset' | 'password.changed',
    client: Client,
  ): Promise<void> => {
    await recordAudit(tx, { userId: user.id, action, ip: client.ip })
    const notice = { at: new Date(), ip: client.ip, url: `${baseUrl}/reset` }
    await mailer.send(passwordChangedLetter(user.email, notice), tx)
  }

  return {
    /**
     * Mails a reset link if there is such an account. Whether there is one is looked up later, by a
     * job, so that neither the answer nor its time tells.
     */
    async forgot(address: string): Promise<void> {
      const email = normalizeEmail(address)
      if (couldBeEmail(email)) await jobs.send(mailLink, { email })
    },

    isLive,

    /**
     * Sets a new password, ends every session and lifts the sign-in lock. The link came by mail, so
     * its address is verified too. If it was not before, somebody else may have made the account:
     * the keys, second factor and providers that they left go too.
     * @throws ApiError 400 for a password that will not do and for a link that is not good any more.
     */
    async reset({ token, password }: ResetPassword, client: Client): Promise<void> {
      if (!(await isLive(token))) throw badLink()
      const passwordHash = await passwords.hash(password)
      await db.transaction(async (tx) => {
        const link = await links.take(tx, 'reset', token)
        const wasVerified = link && (await findUser(tx, link.userId))?.emailVerified
        const user = link && (await resetPassword(tx, link.userId, link.email, passwordHash))
        if (!user) throw badLink()
        if (!wasVerified) for (const takeAway of disown) await takeAway(tx, user.id)
        await sessions.endAll(tx, user.id)
        await sessions.unlock(tx, user.email)
        await settle(tx, user, 'password.reset', client)
      })
    },

    /**
     * Changes the password of somebody who knows it, and ends their other sessions.
     * @throws ApiError 400 for a wrong password or a new one that will not do, 429 after ten wrong
     * ones: a try is counted before it is made.
     */
    async change(caller: Caller, body: ChangePassword, client: Client): Promise<void> {
      await limits.passwordChecks.take(caller.userId)
      const known = (await findUser(db, caller.userId))?.passwordHash ?? null
      if (!(await passwords.verify(body.current_password, known)) || known === null)
        throw new ApiError(400, 'Current password is wrong')
      await limits.passwordChecks.giveBack(caller.userId)

      const passwordHash = await passwords.hash(body.new_password)
      await db.transaction(async (tx) => {
        const user = await replacePassword(tx, caller.userId, known, passwordHash)
        if (!user) throw new ApiError(400, 'Current password is wrong')
        await sessions.endAll(tx, user.id, caller.sessionId)
        await settle(tx, user, 'password.changed', client)
      })
    },
  }
}

const badLink = () => new ApiError(400, 'This reset link is invalid or has expired')
