import { type Database, type Db, isUniqueViolation } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import { isLinkToken, type LinkService } from '../links/service.ts'
import { emailTaken, readEmail } from '../users/email.ts'
import { confirmEmail, findUserByEmail } from '../users/store.ts'

export type EmailService = ReturnType<typeof createEmailService>

/** Proves that an account's address is its owner's. */
export const createEmailService = ({ db }: Database, links: LinkService, limits: Limits) => {
  const mailLink = async (caller: Caller, email: string): Promise<void> => {
    await limits.mailedLinks.take(caller.userId)
    await db.transaction((tx) => links.mailVerification(tx, caller.userId, email))
  }

  /** Confirms an address that a mail has proved. @returns whether it is the account's now. */
  const confirm = async (
    tx: Db,
    userId: string,
    email: string,
    client: Client,
  ): Promise<boolean> => {
    const user = await confirmEmail(tx, userId, email)
    if (user) await recordAudit(tx, { userId, action: 'email.verified', ip: client.ip })
    return user !== undefined
  }

  return {
    confirm,

    /**
     * Confirms the address that the link was mailed to; a new one becomes the account's with it.
     * @throws ApiError 400 for what is no token of ours, 410 for one that is used, expired or
     * unknown, 409 when somebody else has the address by now.
     */
    async verify(token: string, client: Client): Promise<void> {
      if (!isLinkToken(token)) throw new ApiError(400, 'This is not a verification token')
      const confirmed = db.transaction(async (tx) => {
        const link = await links.take(tx, 'verify', token)
        const isDone = link && (await confirm(tx, link.userId, link.email, client))
        if (!isDone) throw new ApiError(410, 'This link has expired or was already used')
      })
      await confirmed.catch((error) => {
        throw isUniqueViolation(error) ? emailTaken() : error
      })
    },

    /** @throws ApiError 400 when the address is verified already, 429 for too many mails. */
    async resend(caller: Caller): Promise<void> {
      refuseVerified(caller)
      await mailLink(caller, caller.me.email)
    },

    /**
     * Mails a link to the right address, which takes effect when it is used.
     * @throws ApiError 400 for an address that will not do or when the old one is verified, 409 when
     * it is somebody else's, 429 for too many mails.
     */
    async change(caller: Caller, address: string): Promise<void> {
      refuseVerified(caller)
      const email = readEmail(address)
      const owner = await findUserByEmail(db, email)
      if (owner && owner.id !== caller.userId) throw emailTaken()
      await mailLink(caller, email)
    },
  }
}

const refuseVerified = ({ me }: Caller): void => {
  if (me.email_verified) throw new ApiError(400, 'The email address is already verified')
}
