import { DAY_MS, HOUR_MS } from '../../../../shared/duration.ts'
import type { Db } from '../../../platform/db/database.ts'
import { defineLimit, HOUR_SECONDS } from '../../../platform/http/limits.ts'
import { type Mail, type Mailer, renderEmail } from '../../../platform/mail/mailer.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import {
  consumeLink,
  endLinks,
  findLiveLink,
  findVerificationLink,
  insertLink,
  isLiveLink,
  type MailedLinkKind,
} from './store.ts'
import type { MailedLinkRow } from './table.ts'

const KINDS: Record<MailedLinkKind, { path: string; lifetimeMs: number }> = {
  verify: { path: '/verify', lifetimeMs: 24 * HOUR_MS },
  reset: { path: '/reset', lifetimeMs: HOUR_MS },
  change: { path: '/email/change', lifetimeMs: 24 * HOUR_MS },
  undo: { path: '/email/undo', lifetimeMs: 7 * DAY_MS },
}

/** The first link of an account that an admin created waits for its user. */
const WELCOME_MS = 7 * DAY_MS

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
export type LinkService = ReturnType<typeof createLinkService>

export const createLinkService = (mailer: Mailer, settings: { baseUrl: string }) => {
  const issue = async (
    tx: Db,
    kind: MailedLinkKind,
    userId: string,
    email: string,
    { takesOver = false, lifetimeMs = KINDS[kind].lifetimeMs } = {},
  ): Promise<string> => {
    const token = createSecret()
    await insertLink(tx, {
      id: Bun.randomUUIDv7(),
      userId,
      kind,
      email,
      takesOver,
      tokenHash: hashSecret(token),
      expiresAt: new Date(Date.now() + lifetimeMs),
    })
    return `${settings.baseUrl}${KINDS[kind].path}?token=${token}`
  }

  return {
    /** Mails `email` a link that verifies the address. */
    async mailVerification(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(verificationEmail(email, await issue(tx, 'verify', userId, email)), tx)
    },

    /** Mails `email` a link that verifies the address and takes the account over, for a sign-in by mail. */
    async mailTakeOver(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(
        takeOverEmail(email, await issue(tx, 'verify', userId, email, { takesOver: true })),
        tx,
      )
    },

    /** Mails `email` a link that resets the password. */
    async mailReset(tx: Db, userId: string, email: string): Promise<void> {
      await mailer.send(resetEmail(email, await issue(tx, 'reset', userId, email)), tx)
    },

    /** Mails a user whom an admin has created a link to choose the first password. */
    async mailWelcome(
      tx: Db,
      { id, email }: { id: string; email: string },
      reason: string,
    ): Promise<void> {
      const url = await issue(tx, 'reset', id, email, { lifetimeMs: WELCOME_MS })
      await mailer.send(welcomeEmail(email, { url, reason }), tx)
    },

    /** Mails `email` a link that makes it the address of the account. Ends earlier ones. */
    async mailChange(
      tx: Db,
      { id, username }: { id: string; username: string },
      email: string,
    ): Promise<void> {
      await endLinks(tx, 'change', id)
      const url = await issue(tx, 'change', id, email)
      await mailer.send(changeEmail(email, { username, url }), tx)
    },

    /** Tells `email` that the account has another address, with a link that restores it. */
    async mailUndo(
      tx: Db,
      { id, email: changedTo }: { id: string; email: string },
      email: string,
    ): Promise<void> {
      const url = await issue(tx, 'undo', id, email)
      await mailer.send(undoEmail(email, { changedTo, url }), tx)
    },

    /** The account and the address of a live link, which is not consumed. */
    find: (db: Db, kind: MailedLinkKind, token: string): ReturnType<typeof findLiveLink> =>
      findLiveLink(db, kind, hashSecret(token)),

    /** Checks a link without consuming it. */
    isLive: (db: Db, kind: MailedLinkKind, token: string): Promise<boolean> =>
      isLiveLink(db, kind, hashSecret(token)),

    /** Describes a verification link, live or not. @returns undefined for an unknown one. */
    describeVerification: (db: Db, token: string): ReturnType<typeof findVerificationLink> =>
      findVerificationLink(db, hashSecret(token)),

    /** Consumes a link and the others of its kind, as `consumeLink` does. @returns undefined when the link is not valid. */
    consume: (tx: Db, kind: MailedLinkKind, token: string): Promise<MailedLinkRow | undefined> =>
      consumeLink(tx, kind, hashSecret(token)),
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

const welcomeEmail = (to: string, { url, reason }: { url: string; reason: string }): Mail =>
  renderEmail({
    to,
    subject: 'An account was created for you',
    paragraphs: [
      'Hello,',
      `an admin created an account for ${to}. Choose a password to use it.`,
      `The reason: ${reason}`,
    ],
    link: { label: 'Choose a password', url },
    footer:
      'The link works once and expires after 7 days. Later, "Forgot your password?" on the sign-in page mails another one.',
  })

const changeEmail = (to: string, { username, url }: { username: string; url: string }): Mail =>
  renderEmail({
    to,
    subject: 'Confirm your new email address',
    paragraphs: [
      'Hello,',
      `the account ${username} is to have the address ${to}. Until you confirm it, the account keeps its address.`,
    ],
    link: { label: 'Use this address', url },
    footer:
      'The link works once and expires after 24 hours. If the account is not yours, ignore this email; nothing changes.',
  })

const undoEmail = (to: string, { changedTo, url }: { changedTo: string; url: string }): Mail =>
  renderEmail({
    to,
    subject: 'The email address of your account was changed',
    paragraphs: [
      'Hello,',
      `your account has the address ${changedTo} now, and ${to} no more. If you changed it, no action is needed.`,
      'If you did not, undo it: the account gets this address back, and its sessions, password, API keys, passkeys, connected providers and authorized apps end. You then choose a new password.',
    ],
    link: { label: 'Undo the change', url },
    footer: 'The link works once and expires after 7 days.',
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
