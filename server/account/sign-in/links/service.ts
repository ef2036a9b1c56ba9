import { HOUR_MS } from '../../../../shared/duration.ts'
import type { Db } from '../../../platform/db/database.ts'
import { defineLimit, HOUR_SECONDS } from '../../../platform/http/limits.ts'
import { type Mail, type Mailer, renderEmail } from '../../../platform/mail/mailer.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import {
  consumeLink,
  findVerificationLink,
  insertLink,
  isLiveLink,
  type MailedLinkKind,
} from './store.ts'
import type { MailedLinkRow } from './table.ts'

const LIFETIME_MS: Record<MailedLinkKind, number> = { verify: 24 * HOUR_MS, reset: HOUR_MS }

/** Whether a text has the format of a link token: 32 random bytes in base64url. */
export const isLinkToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** Keeps a client from filling a mailbox with verification and reset links. */
export const emailLinkLimit = defineLimit({
  name: 'email_links',
  per: 'user',
  points: 20,
  windowSeconds: HOUR_SECONDS,
  exceeded: 'Too many links mailed',
})

/** Mailed single-use links to the pages of the server. */
export interface LinkService {
  /** Mails `email` a link that verifies the address. */
  mailVerification(tx: Db, userId: string, email: string): Promise<void>

  /** Mails `email` a link that verifies the address and takes the account over, for a sign-in by mail. */
  mailTakeOver(tx: Db, userId: string, email: string): Promise<void>

  /** Mails `email` a link that resets the password. */
  mailReset(tx: Db, userId: string, email: string): Promise<void>

  /** Checks a link without consuming it. */
  isLive(db: Db, kind: MailedLinkKind, token: string): Promise<boolean>

  /** Describes a verification link, live or not. @returns undefined for an unknown one. */
  describeVerification(db: Db, token: string): ReturnType<typeof findVerificationLink>

  /** Consumes a link and the others of its kind. @returns undefined when the link is not valid. */
  consume(tx: Db, kind: MailedLinkKind, token: string): Promise<MailedLinkRow | undefined>
}

export const createLinkService = (mailer: Mailer, settings: { baseUrl: string }): LinkService => {
  const issue = async (
    tx: Db,
    kind: MailedLinkKind,
    userId: string,
    email: string,
    takesOver = false,
  ): Promise<string> => {
    const token = createSecret()
    await insertLink(tx, {
      id: Bun.randomUUIDv7(),
      userId,
      kind,
      email,
      takesOver,
      tokenHash: hashSecret(token),
      expiresAt: new Date(Date.now() + LIFETIME_MS[kind]),
    })
    return `${settings.baseUrl}/${kind}?token=${token}`
  }

  return {
    async mailVerification(tx, userId, email) {
      await mailer.send(verificationEmail(email, await issue(tx, 'verify', userId, email)), tx)
    },

    async mailTakeOver(tx, userId, email) {
      await mailer.send(takeOverEmail(email, await issue(tx, 'verify', userId, email, true)), tx)
    },

    async mailReset(tx, userId, email) {
      await mailer.send(resetEmail(email, await issue(tx, 'reset', userId, email)), tx)
    },

    isLive: (db, kind, token) => isLiveLink(db, kind, hashSecret(token)),

    describeVerification: (db, token) => findVerificationLink(db, hashSecret(token)),

    consume: (tx, kind, token) => consumeLink(tx, kind, hashSecret(token)),
  }
}

const verificationEmail = (to: string, url: string): Mail =>
  renderEmail({
    to,
    subject: 'Confirm your email address',
    paragraphs: ['Hello,', `please confirm that ${to} is your email address.`],
    link: { label: 'Confirm this address', url },
    footer:
      'The link works once and expires after 24 hours. If you did not create an account, ignore this email; the address stays unconfirmed.',
  })

const takeOverEmail = (to: string, url: string): Mail =>
  renderEmail({
    to,
    subject: 'Confirm your email address',
    paragraphs: [
      'Hello,',
      `a code to sign in with ${to} was requested. An account has this address, and it was never confirmed, so another person may have created it.`,
      'Confirm the address to make the account yours. Its password, API keys and other ways to sign in end. Then request a code again.',
    ],
    link: { label: 'Confirm this address', url },
    footer:
      'The link works once and expires after 24 hours. If you did not request a code, ignore this email; nothing changes.',
  })

const resetEmail = (to: string, url: string): Mail =>
  renderEmail({
    to,
    subject: 'Reset your password',
    paragraphs: ['Hello,', 'we received a request to reset the password of your account.'],
    link: { label: 'Choose a new password', url },
    footer:
      'The link works once and expires after one hour. If you did not request it, ignore this email; your password does not change.',
  })

/** @param url the page that resets the password. */
export const passwordChangedEmail = (
  to: string,
  { at, ip, url, change }: { at: Date; ip: string; url: string; change: 'changed' | 'removed' },
): Mail =>
  renderEmail({
    to,
    subject: `Your password was ${change}`,
    paragraphs: [
      'Hello,',
      `the password of your account was ${change} on ${at.toISOString().slice(0, 16).replace('T', ' at ')} UTC, from the address ${ip}.`,
      `If you ${change} it, no action is needed. If you did not, reset the password now and revoke the API keys that you do not recognize.`,
    ],
    link: { label: 'Reset the password', url },
  })
