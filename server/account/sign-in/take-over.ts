import type { Db } from '../../platform/db/database.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import type { SessionService } from '../access/sessions/service.ts'
import type { EndOfAccount } from '../deps.ts'
import { recordAudit } from '../users/audit/store.ts'
import { lockUserForDelete, resetAccount } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import { settleTakeOvers } from './links/store.ts'

interface TakeOverDeps {
  sessions: Pick<SessionService, 'endAll'>
  endings: {
    /** Ends what other domains keep in the account, in lock order, before the organizations. */
    takeOver: EndOfAccount
    /** Marks the memories of a user or an organization as text of someone else, and what is derived from them. */
    distrust: (tx: Db, ownerId: string) => Promise<void>
  }
  /** End the organizations' and the account's own credentials, in lock order. */
  endCredentials: readonly EndOfAccount[]
  /** Ends what the user set up in organizations. @returns those that the user stays in. */
  releaseOrgs: (tx: Db, userId: string) => Promise<string[]>
}

interface ProvedMailbox {
  userId: string
  /** The address that a mailed link or code has proved. */
  email: string
  passwordHash: string | null
}

/**
 * Gives an account to the owner of its mailbox. Anyone can sign up with an address of someone else, so that
 * what an account has before its address is verified may be another person's: each credential and grant ends,
 * what would speak for the owner is reset, and memories stay as text from outside.
 *
 * Every way in which a mailbox alone opens an unverified account passes here.
 *
 * @returns undefined when the account has another address now.
 */
export type TakeOver = (
  tx: Db,
  mailbox: ProvedMailbox,
  client: RequestClient,
) => Promise<UserRow | undefined>

export const createTakeOver =
  ({ sessions, endings, endCredentials, releaseOrgs }: TakeOverDeps): TakeOver =>
  async (tx, mailbox, { ip }) => {
    const { userId } = mailbox
    // Waits for requests of the other person, and keeps them from adding anything.
    if (!(await lockUserForDelete(tx, userId))) return undefined
    const user = await resetAccount(tx, mailbox)
    if (!user) return undefined
    for (const end of [endings.takeOver, ...endCredentials]) await end(tx, userId)
    await sessions.endAll(tx, userId)
    const owners = [userId, ...(await releaseOrgs(tx, userId))]
    for (const ownerId of owners) await endings.distrust(tx, ownerId)
    await settleTakeOvers(tx, userId)
    await recordAudit(tx, { userId, action: 'email.verified', ip })
    await recordAudit(tx, { userId, action: 'account.taken_over', ip })
    return user
  }
