import type { EmailVerification, VerifyEmail } from '../../../shared/contract/email-verification.ts'
import {
  changeVerificationEmail,
  emailVerification,
  resendVerification,
  verifyEmail,
  verifyHere,
} from '../../../shared/contract/index.ts'
import { type Database, isUniqueViolation } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Limiter } from '../../platform/http/limits.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { JoinByDomain } from '../organizations/domains/join.ts'
import { readEmail } from '../users/email-address.ts'
import { userError } from '../users/errors.ts'
import { findUserByEmail, isFirstUser } from '../users/store.ts'
import { verifyAddress } from '../users/user.ts'
import { emailLinkLimit, isLinkToken, type LinkService } from './links/service.ts'
import { isAddressHeld } from './links/store.ts'
import type { SignUpPolicyService } from './sign-up-policy.ts'
import type { TakeOver } from './take-over.ts'

export const emailVerificationError = defineErrors({
  verification_token_malformed: { status: 400, detail: 'Invalid verification token' },
  verification_link_invalid: { status: 410, detail: 'This link has expired or was already used' },
  verification_needs_link: {
    status: 403,
    detail:
      'The address is verified by a link: only the first account of a server on this machine that sends no mail needs none',
  },
  email_already_verified: { status: 400, detail: 'The email address is already verified' },
})

export type EmailVerificationService = ReturnType<typeof createEmailVerificationService>

interface VerificationOptions {
  /** Whether a mail server is configured. */
  sendsMail(): boolean
  baseUrl: string
  /** A verified address of these makes its user an admin, so that it must be proved. */
  adminEmails: readonly string[]
  joinByDomain: JoinByDomain
  takeOver: TakeOver
  signUpPolicy: Pick<SignUpPolicyService, 'checkChange'>
}

export const createEmailVerificationService = (
  { db }: Database,
  links: LinkService,
  limiter: Limiter,
  { sendsMail, baseUrl, adminEmails, joinByDomain, takeOver, signUpPolicy }: VerificationOptions,
) => {
  const isLocal = adminEmails.length === 0 && isLocalHost(new URL(baseUrl).hostname)
  const canVerifyHere = async ({ userId, me }: Caller): Promise<boolean> =>
    isLocal && !sendsMail() && !me.email_verified && (await isFirstUser(db, userId))

  const mailLink = async (caller: Caller, email: string): Promise<void> => {
    await limiter.consume(emailLinkLimit, caller.userId)
    await db.transaction((tx) => links.mailVerification(tx, caller.userId, email))
  }

  return {
    /**
     * Verifies the address that the link was mailed to. It replaces the address of the account if it
     * differs. A link that was mailed for a sign-in, or a user who did not create the account, takes it over.
     * @throws ApiError 400 for a malformed token, 410 for a token that is used, expired or unknown, 409
     * when another account has the address.
     */
    async verify({ token, take_over }: VerifyEmail, client: RequestClient): Promise<void> {
      if (!isLinkToken(token)) throw emailVerificationError('verification_token_malformed')
      const confirmed = db.transaction(async (tx) => {
        const link = await links.consume(tx, 'verify', token)
        const takesOver = take_over || link?.takesOver
        const user =
          link &&
          (takesOver
            ? await takeOver(tx, { ...link, passwordHash: null }, client)
            : await verifyAddress(tx, link.userId, link.email, client))
        if (!user) throw emailVerificationError('verification_link_invalid')
        if (await isAddressHeld(tx, user.email, user.id)) throw userError('email_taken')
        await joinByDomain(tx, user)
      })
      await confirmed.catch((error) => {
        throw isUniqueViolation(error) ? userError('email_taken') : error
      })
    },

    /**
     * Whether a link, live or not, was mailed to an address that its account has confirmed, and whether it takes
     * the account over.
     */
    async describe(token: string): Promise<{ isConfirmed: boolean; takesOver: boolean }> {
      const found = isLinkToken(token) ? await links.describeVerification(db, token) : undefined
      return found ?? { isConfirmed: false, takesOver: false }
    },

    /** @throws ApiError 400 when the address is verified already, 429 for too many emails. */
    async resend(caller: Caller): Promise<void> {
      checkNotVerified(caller)
      await mailLink(caller, caller.me.email)
    },

    /**
     * Mails a link to another address. The address changes when the link is used.
     * @throws ApiError 400 for an invalid address or when the current one is verified, 409 when another
     * account has the address, 429 for too many emails.
     */
    async change(caller: Caller, address: string): Promise<void> {
      checkNotVerified(caller)
      const email = readEmail(address)
      await signUpPolicy.checkChange(db, email, false)
      const owner = await findUserByEmail(db, email)
      if (owner && owner.id !== caller.userId) throw userError('email_taken')
      await mailLink(caller, email)
    },

    async status(caller: Caller): Promise<EmailVerification> {
      return {
        verified: caller.me.email_verified,
        delivery: sendsMail() ? 'mail' : 'outbox',
        can_verify_here: await canVerifyHere(caller),
      }
    },

    /**
     * Verifies the address of the operator, who could read the link in the outbox too.
     * @throws ApiError 400 when it is verified already, 403 for another account or server.
     */
    async verifyHere(caller: Caller, client: RequestClient): Promise<void> {
      checkNotVerified(caller)
      if (!(await canVerifyHere(caller))) throw emailVerificationError('verification_needs_link')
      await db.transaction(async (tx) => {
        const user = await verifyAddress(tx, caller.userId, caller.me.email, client)
        if (user) await joinByDomain(tx, user)
      })
    },
  }
}

const isLocalHost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

const checkNotVerified = ({ me }: Caller): void => {
  if (me.email_verified) throw emailVerificationError('email_already_verified')
}

export const emailVerificationRoutes = (mount: Mount, emails: EmailVerificationService): void => {
  mount(verifyEmail, async ({ body, client }) => {
    await emails.verify(body, client)
    return { message: 'Email address confirmed' }
  })
  mount(emailVerification, ({ caller }) => emails.status(caller))
  mount(verifyHere, async ({ caller, client }) => {
    await emails.verifyHere(caller, client)
    return { message: 'Email address confirmed' }
  })
  mount(resendVerification, async ({ caller }) => {
    await emails.resend(caller)
    return { message: 'Verification email sent' }
  })
  mount(changeVerificationEmail, async ({ caller, body }) => {
    await emails.change(caller, body.email)
    return { message: 'Verification email sent to the new address' }
  })
}
